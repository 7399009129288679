import { randomUUID } from 'node:crypto';
import { accountNameOf, contentStream, encodeContentEvent } from '@app/domain';
import { PostgresEventStore } from '@app/event-store';
import {
  LedgerWriter,
  PostgresSnapshots,
  SnapshotFollower,
  snapshotMigrations,
  systemClock,
  StoredLedger,
} from '@app/ledger';
import { KeyIndexQueries, readModels, projectionMigrations, ProjectionRunner } from '@app/projections';
import { randomCommands } from '../../../../libs/projections/src/testing/random-commands.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { whileTableStands } from '../../../../test/support/standing-table.js';
import { Books } from './books.js';
import { printTrialBalance, replay, trialBalance } from './replay.js';
import { verdictOn, verify, type Finding } from './verify.js';
import { catchUpReadModels } from './catch-up.js';

// What stands still is waited for.
jest.setTimeout(60_000);

const COMMANDS = 600;

describe('finance', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  let writer: LedgerWriter;
  let runner: ProjectionRunner;

  beforeAll(async () => {
    database = await createTestDatabase('finance');
    for (const { sql } of [...projectionMigrations, ...snapshotMigrations]) await database.pool.query(sql);
    store = await PostgresEventStore.open({ connectionString: database.url });
    runner = new ProjectionRunner({ store, connectionString: database.url, models: readModels });
    await runner.start();
    writer = new LedgerWriter({ store, clock: systemClock, keyIndex: new KeyIndexQueries(database.pool) });
    await writer.start();
    const next = randomCommands(7);
    await Promise.all(Array.from({ length: COMMANDS }, () => writer.execute({ command: next(), actor: 'process' })));
    await runner.waitFor(
      readModels.map(({ name }) => name),
      writer.revision,
      20_000,
    );
  });

  afterAll(async () => {
    await writer.stop();
    await runner.stop();
    await store.close();
    await database.drop();
  });

  const verified = async (): Promise<Finding[]> => {
    const findings: Finding[] = [];
    for await (const finding of verify({ store, pool: database.pool, connectionString: database.url }))
      findings.push(finding);
    return findings;
  };
  const breachesOf = (findings: readonly Finding[]) => findings.flatMap(({ breaches }) => breaches);

  it('verifies a sound installation, read models and statements included', async () => {
    const findings = await verified();
    expect(breachesOf(findings)).toEqual([]);
    expect(findings.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'Hash chain',
        'Invariants',
        'Statements',
        'Read model balances',
        'Read model statements',
      ]),
    );
  });

  it('names a read model that was tampered with', async () => {
    const { rows } = await database.pool.query<{ revision: string; idx: number }>(
      'update read.statements_row set amount = amount + 1 where (revision, idx) in (select revision, idx from read.statements_row limit 1) returning revision, idx',
    );
    const breaches = breachesOf(await verified());
    expect(breaches).toEqual(expect.arrayContaining([expect.stringContaining('statements_row has other rows')]));
    expect(breaches).toEqual(expect.arrayContaining([expect.stringContaining('the journal says')]));
    await database.pool.query('update read.statements_row set amount = amount - 1 where revision = $1 and idx = $2', [
      rows[0]?.revision,
      rows[0]?.idx,
    ]);
    expect(breachesOf(await verified())).toEqual([]);
  });

  it('names members whose accrued rewards are not what pools owe them', async () => {
    const { state } = await replay(store, {});
    const holder = [...state.memberIds()].find((userId) => state.owed(userId) > 0n);
    const change = (by: string) =>
      database.pool.query(`update read.statements_share_history set fraction = fraction + ${by} where user_id = $1`, [
        holder,
      ]);
    await change('1e15');
    expect(breachesOf(await verified())).toContainEqual(
      expect.stringMatching(`^${holder}: .* are accrued, the journal`),
    );
    await change('-1e15');
  });

  it('names a read model that no longer follows the journal', async () => {
    const { revision } = writer;
    const command = { type: 'GrantNova', userId: 'member-0', adminId: 'root', amount: 1n } as const;
    const findings = await whileTableStands(database.pool, 'read.ledger_key', async () => {
      await writer.execute({ command, actor: 'process', key: { scope: 'fact', value: 'a key to be written' } });
      return verified();
    });
    const ofKeys = findings.find(({ what }) => what === 'Read model key_index');
    expect(ofKeys && verdictOn(ofKeys)).toBe('BEHIND');
    expect(ofKeys?.breaches).toEqual([
      expect.stringContaining(`it stands at revision ${revision} and the journal at ${writer.revision}`),
    ]);
    expect(findings.find(({ what }) => what === 'Statements')?.breaches).toEqual([]);
    expect(breachesOf(await verified())).toEqual([]);
  });

  it('names a read model that lacks events of other streams', async () => {
    const published = {
      type: 'ContentPublished',
      contentId: 'c',
      authorId: 'member-0',
      surface: 'feed',
      at: Date.now(),
    } as const;
    const findings = await whileTableStands(database.pool, 'read.posts', async () => {
      const event = { id: randomUUID(), type: published.type, data: encodeContentEvent(published), metadata: '{}' };
      await store.append(contentStream('c'), [event], 'none');
      return verified();
    });
    expect(findings.filter(({ breaches }) => breaches.length > 0)).toEqual([
      expect.objectContaining({
        what: 'Read model posts',
        breaches: [expect.stringContaining('it lacks the latest events of other streams')],
        isBehind: true,
      }),
    ]);
    expect(breachesOf(await verified())).toEqual([]);
  });

  it('tells what is behind from what is wrong where no server runs, and brings it up first where it is told to', async () => {
    await runner.stop();
    const command = { type: 'GrantNova', userId: 'member-0', adminId: 'root', amount: 1n } as const;
    await writer.execute({ command, actor: 'process' });
    const verdicts = async () => new Map((await verified()).map((finding) => [finding.what, verdictOn(finding)]));
    const stopped = await verdicts();
    expect(stopped.get('Invariants')).toBe('ok');
    expect(stopped.get('Statements')).toBe('BEHIND');
    for (const { name } of readModels) expect([name, stopped.get(`Read model ${name}`)]).toEqual([name, 'BEHIND']);
    // What is behind may be wrong as well.
    await database.pool.query('update read.statements_row set amount = amount + 1');
    expect((await verdicts()).get('Read model statements')).toBe('WRONG');
    await database.pool.query('update read.statements_row set amount = amount - 1');
    const logger = { info: () => undefined, error: (message: string) => expect(message).toBe('no error') };
    const seen: number[] = [];
    const onProgress = (done: number) => void seen.push(done);
    await catchUpReadModels({ store, pool: database.pool, connectionString: database.url, logger, onProgress });
    expect(seen.at(-1)).toBe(writer.revision + 1);
    expect(breachesOf(await verified())).toEqual([]);
    runner = new ProjectionRunner({ store, connectionString: database.url, models: readModels });
    await runner.start();
  });

  it('compares the newest snapshot with the journal', async () => {
    const snapshots = new PostgresSnapshots(database.pool);
    const [before, after] = [await replay(store, { upTo: 100 }), await replay(store, { upTo: 101 })];
    const ofSnapshot = async () => (await verified()).find(({ what }) => what === 'Snapshot');
    expect(await ofSnapshot()).toMatchObject({ detail: expect.stringContaining('none'), breaches: [] });
    await snapshots.save(before.state, before.head);
    expect(await ofSnapshot()).toMatchObject({ detail: expect.stringContaining('of revision 100'), breaches: [] });
    // The worker goes on from there, with a state that was restored.
    const follower = new SnapshotFollower({ store, snapshots, everyEvents: 1 });
    await follower.start();
    const last = await follower.advance();
    expect(await ofSnapshot()).toMatchObject({ detail: expect.stringContaining(`of revision ${last}`), breaches: [] });
    const cutOff = (revision: number) =>
      database.pool.query('update ledger.snapshots set state = substring(state for 40) where revision = $1', [
        revision,
      ]);
    const unreadable = (revision: number) =>
      expect.stringMatching(`a snapshot cannot be read.*the bytes of the snapshot of revision ${revision}`) as unknown;
    await cutOff(last);
    expect(await ofSnapshot()).toMatchObject({
      detail: expect.stringContaining('of revision 100'),
      breaches: [unreadable(last)],
    });
    await cutOff(100);
    expect(await ofSnapshot()).toMatchObject({
      detail: expect.stringContaining('none can be read'),
      breaches: [unreadable(last), unreadable(100)],
    });
    await database.pool.query('delete from ledger.snapshots');
    await snapshots.save(after.state, before.head);
    expect(await ofSnapshot()).toMatchObject({ breaches: [expect.stringContaining('it is another state')] });
    await database.pool.query('delete from ledger.snapshots');
  });

  it('notices an event that was rewritten, and an anchor that no longer fits', async () => {
    const { head } = await replay(store, {});
    const anchored = verify({
      store,
      pool: database.pool,
      connectionString: database.url,
      anchor: { revision: 3, hash: head.hash },
    });
    expect((await anchored.next()).value).toMatchObject({ breaches: [expect.stringContaining('it was rewritten')] });
    const where = "where revision = 5 and stream = (select id from journal.streams where name = 'ledger')";
    const { rows } = await database.pool.query<{ data: string }>(`select data from journal.events ${where}`);
    await database.pool.query(`update journal.events set data = replace(data, '"at":1', '"at":2') ${where}`);
    await expect(verified()).rejects.toThrow('revision 5 does not fit its bytes');
    await database.pool.query(`update journal.events set data = $1 ${where}`, [rows[0]?.data]);
  });

  it('prints a trial balance in which every currency sums to zero', async () => {
    const { state } = await replay(store, {});
    const lines = trialBalance(state);
    for (const currency of ['NOVA', 'KARMA', 'INFLUENCE', 'SEYVN']) {
      const own = lines.filter((line) => line.currency === currency);
      expect(own.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
    }
    expect(printTrialBalance(lines)).toMatch(/^user:purchased +\d+ +[\d,]+\.\d\d NOVA$/m);
  });

  it('replays up to a revision', async () => {
    expect((await replay(store, {})).state.revision).toBe(writer.revision);
    expect((await replay(store, { upTo: 7 })).state.revision).toBe(7);
    expect((await replay(store, { upTo: -1 })).state.revision).toBe(-1);
  });

  it('gives a member what the journal gives at both ends of a period, rewards that pools owe included', async () => {
    const books = new Books(new StoredLedger(store), database.pool, () => Promise.resolve());
    const period = {
      opening: await books.moment({ revision: Math.floor(writer.revision / 2) }),
      closing: await books.moment({}),
    };
    const { state: before } = await replay(store, { upTo: period.opening.revision });
    const { state: after } = await replay(store, {});
    const [userId = ''] = [...before.memberIds()].filter(
      (id) => before.owed(id) > 0n && after.owed(id) > 0n && before.owed(id) !== after.owed(id),
    );
    const statement = await books.memberStatement(userId, period);
    expect(statement.owed).toEqual({ opening: before.owed(userId), closing: after.owed(userId) });
    expect(statement.nova).toEqual({ opening: before.novaBalance(userId), closing: after.novaBalance(userId) });
    const [balancesBefore, balancesAfter] = [before, after].map(
      (state) => new Map([...state.accounts()].map(([account, , balance]) => [account, balance])),
    );
    for (const { kind, opening, closing, in: gained, out } of statement.lines) {
      const account = accountNameOf(kind, userId);
      expect([account, opening]).toEqual([account, balancesBefore?.get(account) ?? 0n]);
      expect([account, closing]).toEqual([account, balancesAfter?.get(account) ?? 0n]);
      expect(opening + gained + out).toBe(closing);
    }
  });

  it('answers for moments that the read models have, and says so of those that they lack', async () => {
    const books = new Books(new StoredLedger(store), database.pool, () => Promise.resolve());
    const { head } = await replay(store, {});
    expect(await books.moment({})).toMatchObject(head);
    await database.pool.query("update read.checkpoint set revision = 3 where name = 'ledger_entries'");
    expect((await books.moment({})).revision).toBe(3);
    const patient = new Books(new StoredLedger(store), database.pool, (models, revision) =>
      database.pool.query('update read.checkpoint set revision = $2 where name = any($1)', [models, revision]),
    );
    expect(await patient.moment({})).toMatchObject(head);
    await database.pool.query("update read.checkpoint set revision = 3 where name = 'ledger_entries'");
    expect((await books.moment({ revision: 3 })).revision).toBe(3);
    await expect(books.moment({ revision: 4 })).rejects.toMatchObject({ code: 'BOOKS_BEHIND', statusCode: 503 });
    await expect(books.period({})).resolves.toMatchObject({ closing: { revision: 3 } });
    await database.pool.query("update read.checkpoint set version = 0 where name = 'statements'");
    await expect(books.moment({})).rejects.toMatchObject({ code: 'BOOKS_BEHIND' });
    await expect(books.journalPeriod({})).resolves.toMatchObject({ closing: head });
  });
});
