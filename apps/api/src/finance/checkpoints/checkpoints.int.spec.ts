import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeModerationEvent, moderationStream } from '@app/domain';
import { type EventStore, openEventStore, StoreUnavailable } from '@app/event-store';
import { JournalSigner, LedgerWriter, systemClock } from '@app/ledger';
import { KeyIndexQueries, ProjectionRunner, readModels } from '@app/projections';
import { EventStoreDbServer } from '../../../../../test/support/eventstoredb-server.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { migrate } from '../../platform/database/data-source.js';
import { SCHEMA } from '../../schema.js';
import { moveJournal } from '../move-journal.js';
import { verify } from '../verify.js';
import { CheckpointLog } from './checkpoint-log.js';
import { BEHIND_MS, CheckpointRounds } from './checkpoint-rounds.js';
import { type CheckpointTarget, FolderTarget } from './checkpoint-targets.js';
import { checkSeals, readSeals } from './seals.js';

const DAY_MS = 86_400_000;
const journal = '5b1c0e8f6a7d4c219e3f00112233aabb';
const signer = new JournalSigner(generateKeyPairSync('ed25519').privateKey);
const trust = [{ journal, publicKey: signer.publicKey, from: 0 }];
const keys = { signerFor: () => signer, trust: () => trust };
const signing = { journal, publicKey: signer.publicKey, since: 0 };
const { signal } = new AbortController();

/** A target that refuses so many times. */
class Unsteady implements CheckpointTarget {
  readonly word = 'the test';
  readonly name = 'test';
  readonly taken: string[] = [];
  refusals = 0;

  put(note: string): Promise<void> {
    if (this.refusals-- > 0) return Promise.reject(new Error('it is full'));
    this.taken.push(note);
    return Promise.resolve();
  }
}

/** An admin's act, each in a stream of its own. */
function actOf(n: number): Parameters<EventStore['append']> {
  const event = {
    type: 'BooksClosed',
    adminId: 'root',
    targetId: `period-${n}`,
    subjectId: null,
    reasonId: null,
  } as const;
  const metadata = `{"nova":2,"$correlationId":"${randomUUID()}","actor":"admin:root"}`;
  const data = encodeModerationEvent({ ...event, at: n });
  return [moderationStream(event.targetId), [{ id: randomUUID(), type: event.type, data, metadata }], 'none'];
}

describe.each(['Postgres', 'EventStoreDB'])('checkpoints of a journal in %s', (where) => {
  const standIn = where === 'EventStoreDB' ? new EventStoreDbServer() : undefined;
  let database: TestDatabase;
  let store: EventStore;
  let folder: string;
  let acts = 0;
  let now = Date.UTC(2026, 10, 26, 9);
  const clock = { now: () => now, ready: true };
  const told: string[] = [];
  const logger = {
    log: (sentence: string) => void told.push(sentence),
    warn: (_: object, why: string) => void told.push(why),
  };

  beforeAll(async () => {
    await standIn?.start();
    database = await createTestDatabase('checkpoints');
    await migrate(database.url, SCHEMA);
    store = await openEventStore({ databaseUrl: database.url, eventStoreUrl: standIn?.connectionString });
    folder = mkdtempSync(path.join(tmpdir(), 'nova-checkpoints-'));
  });
  afterAll(async () => {
    await store.close();
    standIn?.kill();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const server = (targets: readonly CheckpointTarget[] = [new FolderTarget('the folder', folder)], writer = {}) =>
    new CheckpointRounds({
      store,
      pool: database.pool,
      clock,
      writer: { signing, halted: undefined, ...writer },
      keys,
      targets,
      logger,
    });
  const record = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) await store.append(...actOf(acts++));
  };
  const sizes = async (): Promise<number[]> =>
    (await database.pool.query<{ size: string }>('select size from journal_checkpoints order by size')).rows.map(
      ({ size }) => Number(size),
    );
  const found = async () => {
    const seals = await readSeals(folder, undefined);
    const breaches: string[] = [];
    const snapshotSigning = { trust, signerFor: () => signer };
    const options = { store, pool: database.pool, connectionString: database.url, snapshotSigning, seals };
    for await (const { what, breaches: wrong } of verify(options))
      breaches.push(...wrong.map((why) => `${what}: ${why}`));
    return breaches;
  };

  it('are made five minutes behind the head, once a day, by one of the servers', async () => {
    const [one, other] = [server(), server()];
    const rounds = (): Promise<unknown> => Promise.all([one.round(signal), other.round(signal)]);
    await rounds();
    expect([await sizes(), one.dueSince]).toEqual([[], undefined]);
    await record(4);
    now += 10 * 60_000;
    await rounds();
    await record(3);
    now += BEHIND_MS - 1;
    await rounds();
    expect([await sizes(), one.dueSince]).toEqual([[], now - BEHIND_MS + 1]);
    now += 1;
    await rounds();
    expect(await sizes()).toEqual([4]);
    await rounds();
    expect([one.dueSince, other.dueSince, one.undelivered, other.undelivered]).toEqual([undefined, undefined, 0, 0]);
    expect(told).toEqual(['signed a checkpoint over 4 events of all streams']);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^000000000004-[0-9a-f]{16}\.txt$/)]);

    now += 2 * BEHIND_MS;
    await rounds();
    expect([await sizes(), one.dueSince]).toEqual([[4], undefined]);
    now = Date.UTC(2026, 10, 27) + 59_000;
    await rounds();
    expect(one.dueSince).toBeUndefined();
    now += 1_000;
    await rounds();
    now += BEHIND_MS;
    await rounds();
    expect(await sizes()).toEqual([4, 7]);
    // A day on which nothing happened.
    now += DAY_MS;
    for (let n = 0; n < 3; n += 1, now += BEHIND_MS) await rounds();
    expect([await sizes(), one.dueSince, one.complaints]).toEqual([[4, 7], undefined, []]);
  });

  it('are not made of a journal that nobody signs, or that stands still', async () => {
    await record(1);
    for (const writer of [{ signing: undefined }, { halted: 'revision 7 is signed by nobody' }]) {
      const idle = server([], writer);
      for (let n = 0; n < 2; n += 1, now += BEHIND_MS) await idle.round(signal);
    }
    expect(await sizes()).toEqual([4, 7]);
  });

  it('are made by a clock that is agreed on, and go on after one that was not', async () => {
    const before = await sizes();
    const { rows } = await database.pool.query<{ made_at: string }>(
      'select max(made_at) as made_at from journal_checkpoints',
    );
    clock.ready = false;
    const waiting = server();
    for (let n = 0; n < 2; n += 1, now += BEHIND_MS) await waiting.round(signal);
    expect(await sizes()).toEqual(before);
    clock.ready = true;
    const last = 'where size = (select max(size) from journal_checkpoints)';
    await database.pool.query(`update journal_checkpoints set made_at = $1 ${last}`, [now + 3_650 * DAY_MS]);
    await waiting.round(signal);
    expect(waiting.dueSince).toBe(now);
    await database.pool.query(`update journal_checkpoints set made_at = $1 ${last}`, [rows[0]?.made_at]);
  });

  it('are made after a crash as if there had been none', async () => {
    const crashing = server();
    const put = jest.spyOn(CheckpointLog.prototype, 'put').mockRejectedValueOnce(new Error('the machine went off'));
    // The database is away for a moment: nothing is late yet.
    const log = jest.spyOn(CheckpointLog.prototype, 'last').mockRejectedValueOnce(new StoreUnavailable('away'));
    await crashing.round(signal);
    expect([log.mock.calls.length, crashing.complaints]).toEqual([1, []]);
    log.mockRestore();
    await crashing.round(signal);
    now += BEHIND_MS;
    await crashing.round(signal);
    expect(crashing.complaints).toEqual(['none could be made: the machine went off']);
    put.mockRestore();
    await crashing.round(signal);
    expect(crashing.complaints).toHaveLength(1);
    const next = server();
    await next.round(signal);
    now += BEHIND_MS;
    await next.round(signal);
    expect([await sizes(), next.complaints]).toEqual([[4, 7, 8], []]);
    now += 30 * 60_000;
    await crashing.round(signal);
    expect(crashing.complaints).toEqual([]);
    expect(await held()).toEqual([]);
  });

  it('leave, all of them and in order, once what they go to takes them', async () => {
    const target = new Unsteady();
    target.refusals = 1;
    const made = server([target]);
    await made.round(signal);
    expect([made.undelivered, made.complaints]).toEqual([3, ['the test accepts none: see the log']]);
    await made.round(signal);
    expect(target.taken).toEqual([]);
    now += BEHIND_MS;
    await made.round(signal);
    expect([made.undelivered, made.complaints]).toEqual([0, []]);
    expect(target.taken.map((note) => note.split('\n')[1])).toEqual(['4', '7', '8']);
    await made.round(signal);
    expect(target.taken).toHaveLength(3);
  });

  it('show an admin’s act that was changed together with its read model, and nothing else does', async () => {
    const runner = new ProjectionRunner({ store, connectionString: database.url, models: readModels });
    await runner.start();
    const writer = new LedgerWriter({ store, clock: systemClock, keyIndex: new KeyIndexQueries(database.pool) });
    await writer.start();
    await writer.execute({
      command: { type: 'GrantNova', userId: 'ada', adminId: 'root', amount: 5n },
      actor: 'admin:root',
    });
    const names = readModels.map(({ name }) => name);
    await runner.waitFor(names, writer.revision, 20_000);
    await writer.stop();
    expect(await held()).toEqual([]);

    await edit('data', 'period-5', ['"root"', '"mary"']);
    const row = `update read.audit set admin_id = 'mary' where target_id = 'period-5'`;
    expect((await database.pool.query(row)).rowCount).toBe(1);
    await runner.stop();
    const broken = [expect.stringMatching(/^000000000007-\S+ does not hold: .* the first 4 are; nor do 1 after it$/)];
    expect(await found()).toEqual([expect.stringMatching(/^Checkpoints: 000000000007-\S+ does not hold/)]);
    expect(await held()).toEqual(broken);
    await edit('data', 'period-5', ['"mary"', '"root"']);
    expect(await held()).toEqual([]);

    await edit('metadata', 'period-5', ['admin:root', 'admin:mary']);
    expect(await held()).toEqual(broken);
    await edit('metadata', 'period-5', ['admin:mary', 'admin:root']);
    await swap('period-5', 'period-6');
    expect(await held()).toEqual(broken);
    await swap('period-5', 'period-6');
    expect(await held()).toEqual([]);
    await cutAt('period-6');
    expect(await held()).toEqual([
      expect.stringMatching(/^000000000007-\S+ is over 7 events, and the journal has 6: its end is missing$/),
    ]);
  });

  const held = async () => (await checkSeals(store, await readSeals(folder, undefined), trust)).breaches;
  const placeOf = `select position from journal.events where stream = (select id from journal.streams where name = $1)`;

  async function edit(part: 'data' | 'metadata', target: string, [from, to]: readonly [string, string]) {
    const stream = moderationStream(target);
    if (!standIn) {
      const sql = `update journal.events set ${part} = replace(${part}, $2, $3) where position = (${placeOf})`;
      await database.pool.query(sql, [stream, from, to]);
      return;
    }
    standIn.tamper((events) =>
      events.map((event) => {
        if (event.stream !== stream) return event;
        return { ...event, [part]: Buffer.from(Buffer.from(event[part]).toString().replace(from, to)) };
      }),
    );
  }

  async function swap(...targets: readonly [string, string]) {
    const [one, other] = targets.map(moderationStream);
    if (!standIn) {
      const positions = await Promise.all([one, other].map((name) => database.pool.query(placeOf, [name])));
      const [a, b] = positions.map(({ rows }) => rows[0].position);
      for (const [from, to] of [
        [a, -1],
        [b, a],
        [-1, b],
      ]) {
        await database.pool.query('update journal.events set position = $2 where position = $1', [from, to]);
      }
      return;
    }
    standIn.tamper((events) => {
      const [i, k] = [one, other].map((name) => events.findIndex(({ stream }) => stream === name));
      const changed = [...events];
      [changed[i!], changed[k!]] = [events[k!]!, events[i!]!];
      return changed;
    });
  }

  /** With all that comes after it. */
  async function cutAt(target: string) {
    const stream = moderationStream(target);
    if (!standIn) {
      await database.pool.query(`delete from journal.events where position >= (${placeOf})`, [stream]);
      return;
    }
    standIn.tamper((events) =>
      events.slice(
        0,
        events.findIndex((event) => event.stream === stream),
      ),
    );
  }
});

describe('checkpoints of a journal that moves to another store', () => {
  it('go on under the same name, and hold there as they did before', async () => {
    const database = await createTestDatabase('moved');
    await migrate(database.url, SCHEMA);
    const from = await openEventStore({ databaseUrl: database.url, eventStoreUrl: undefined });
    const standIn = new EventStoreDbServer();
    await standIn.start();
    const to = await openEventStore({ databaseUrl: database.url, eventStoreUrl: standIn.connectionString });
    const target = new Unsteady();
    let now = Date.UTC(2026, 10, 26, 9);
    const rounds = async (store: EventStore) => {
      const clock = { now: () => now, ready: true };
      const writer = { signing, halted: undefined };
      const logger = { log: () => undefined, warn: () => undefined };
      const server = new CheckpointRounds({
        store,
        pool: database.pool,
        clock,
        writer,
        keys,
        targets: [target],
        logger,
      });
      for (let n = 0; n < 2; n += 1, now += BEHIND_MS) await server.round(signal);
      expect(server.complaints).toEqual([]);
      now += DAY_MS;
    };
    for (let n = 0; n < 3; n += 1) await from.append(...actOf(n));
    await rounds(from);
    await moveJournal({ from, to, pool: database.pool });
    await rounds(to);
    expect(target.taken).toHaveLength(1);
    await to.append(...actOf(3));
    await rounds(to);
    const seals = target.taken.map((note, n) => ({ name: `${n}`, bytes: Buffer.from(note) }));
    expect(seals).toHaveLength(2);
    expect(new Set(target.taken.map((note) => note.split('\n')[0])).size).toBe(1);
    expect(await checkSeals(to, seals, trust)).toEqual({
      detail: '2, the largest over 4 events of all streams',
      breaches: [],
    });
    await to.close();
    await from.close();
    standIn.kill();
    await database.drop();
  });
});
