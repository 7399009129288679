import { generateKeyPairSync } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { decide, evolve, EVOLVE_VERSION, LEDGER_STREAM, type LedgerSnapshot, LedgerState } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { hashOf, printEnvelope } from './envelope.js';
import { chainHash, eventIdOf } from './hash-chain.js';
import { followJournal, EMPTY_HEAD, StoreJournal, type JournalHead } from './journal-reader.js';
import type { LedgerWriter } from './ledger-writer.js';
import { JournalSigner } from './signing/signer.js';
import { PostgresSnapshots, snapshotMigrations } from './snapshots.js';
import { SnapshotFollower } from './snapshot-follower.js';
import { grant, startWriter } from './testing/writers.js';

/** Their state is longer than one piece of a snapshot. */
const MEMBERS = 130_000;

describe('snapshots in Postgres', () => {
  let database: TestDatabase;
  let snapshots: PostgresSnapshots;
  let store: MemoryEventStore;
  let head: JournalHead;
  let state: LedgerState;

  beforeAll(async () => {
    database = await createTestDatabase('snapshots');
    for (const { sql } of snapshotMigrations) await database.pool.query(sql);
    snapshots = new PostgresSnapshots(database.pool);
    store = new MemoryEventStore();
    const writer = await startWriter({ store });
    await writer.execute(grant('ada', 100n));
    await writer.stop();
    state = new LedgerState();
    head = await followJournal(new StoreJournal(store), state, EMPTY_HEAD);
    for (let n = 0; n < MEMBERS; n++) {
      const userId = `0193a000-0000-7000-8000-${String(n).padStart(12, '0')}`;
      const decision = decide(state, { type: 'GrantNova', userId, adminId: 'bob', amount: 100n }, state.time);
      if (!decision.accepted) throw new Error(decision.rejection.message);
      for (const fact of decision.events) evolve(state, { ...fact, at: state.time, actor: 'test' }, state.revision + 1);
    }
  });
  afterAll(() => database.drop());
  beforeEach(() => database.pool.query('truncate ledger.snapshots'));

  it('give back a state that is longer than one piece', async () => {
    await snapshots.save(state, head);
    const { rows } = await database.pool.query<{ bytes: number }>(
      'select length(state) as bytes from ledger.snapshots',
    );
    expect(rows[0]?.bytes).toBeGreaterThan(8 * 1_024 * 1_024);
    const loaded = await snapshots.newest(store);
    expect(loaded?.head).toEqual(head);
    expect(loaded?.state.memberCount).toBe(MEMBERS + 1);
    expect(loaded?.state.snapshot()).toEqual(state.snapshot());
  });

  it('of a signed journal are taken by whoever has its key, and from nobody else', async () => {
    const [ours, theirs] = [1, 2].map(() => new JournalSigner(generateKeyPairSync('ed25519').privateKey));
    const by = (signer = ours, trusted = ours) =>
      new PostgresSnapshots(database.pool, undefined, {
        trust: [{ journal: '5b'.repeat(16), publicKey: trusted?.publicKey ?? '', from: 0 }],
        signerFor: () => signer,
      });
    await by().save(state, head);
    expect((await by().newest(store))?.state.memberCount).toBe(MEMBERS + 1);
    // Whoever may write there knows how, and lacks the key.
    await by(theirs).save(state, head);
    expect(await by().newest(store)).toBeUndefined();
    await snapshots.save(state, head);
    expect(await by().newest(store)).toBeUndefined();
    await by().save(state, head);
    await database.pool.query(`update ledger.snapshots set revision = revision + 1`);
    expect(await by().newest(store)).toBeUndefined();
  });

  it('that claim to be later than the journal do not outlast the next', async () => {
    await snapshots.save(state, { ...head, revision: head.revision + 1_000 });
    await snapshots.save(state, { ...head, revision: head.revision + 2_000 });
    await snapshots.save(state, head);
    const { rows } = await database.pool.query('select revision::int from ledger.snapshots');
    expect(rows).toEqual([{ revision: head.revision }]);
  });

  it('are passed over where the journal does not hold their event, or another version made them', async () => {
    await snapshots.save(state, head);
    const other = new MemoryEventStore();
    const writer = await startWriter({ store: other });
    await writer.execute(grant('eve', 100n));
    expect(hashOf((await other.head(LEDGER_STREAM))?.metadata ?? '')).not.toBe(head.hash);
    expect(await snapshots.newest(other)).toBeUndefined();
    await database.pool.query('update ledger.snapshots set evolve_version = evolve_version - 1');
    expect(await snapshots.newest(store)).toBeUndefined();
  });

  /** A journal of two grants with a snapshot after each. */
  async function twoSnapshots(): Promise<{ journal: MemoryEventStore; writer: LedgerWriter }> {
    const journal = new MemoryEventStore();
    const writer = await startWriter({ store: journal });
    const follower = new SnapshotFollower({ store: journal, snapshots, everyEvents: 1 });
    for (let n = 0; n < 2; n++) {
      await writer.execute(grant('ada', 100n));
      await follower.advance();
    }
    return { journal, writer };
  }

  /** Bytes as they were written, but for what happened to them, with their hash or as earlier releases wrote them: without. */
  it.each<[what: string, damage: (whole: Buffer) => Buffer, hash: string]>([
    ['cut off', (whole) => whole.subarray(0, 40), 'null'],
    ['empty', () => Buffer.alloc(0), 'null'],
    ['no value at all', () => Buffer.from('no snapshot'), 'null'],
    ['another value', () => serialize({ version: EVOLVE_VERSION }), 'null'],
    ['another balance', withOtherBalance, 'state_hash'],
  ])('are passed over where their bytes are damaged: %s', async (_, damage, hash) => {
    const { journal } = await twoSnapshots();
    const onUnreadable = jest.fn();
    const told = new PostgresSnapshots(database.pool, onUnreadable);
    const spoil = async (revision: number): Promise<void> => {
      const { rows } = await database.pool.query<{ state: Buffer }>(
        'select state from ledger.snapshots where revision = $1',
        [revision],
      );
      const damaged = damage(rows[0]?.state ?? Buffer.alloc(0));
      await database.pool.query(`update ledger.snapshots set state = $2, state_hash = ${hash} where revision = $1`, [
        revision,
        damaged,
      ]);
    };
    await spoil(1);
    expect((await told.newest(journal))?.head.revision).toBe(0);
    expect(onUnreadable).toHaveBeenCalledTimes(1);
    await spoil(0);
    expect(await told.newest(journal)).toBeUndefined();
    expect((await startWriter({ store: journal, snapshots })).revision).toBe(1);
    // Whoever writes them begins anew, and puts a whole one in the place of the damaged one.
    const next = new SnapshotFollower({ store: journal, snapshots, everyEvents: 1 });
    await next.start();
    expect(await next.advance()).toBe(1);
    expect((await snapshots.newest(journal))?.head.revision).toBe(1);
  });

  it('are read where nobody wrote down their hash', async () => {
    const { journal } = await twoSnapshots();
    await database.pool.query('update ledger.snapshots set state_hash = null');
    expect((await snapshots.newest(journal))?.head.revision).toBe(1);
  });

  it.each(['data_corrupted', 'io_error'])('are passed over where Postgres cannot read them: %s', async (condition) => {
    const { journal } = await twoSnapshots();
    const failWhere = (where: string): Promise<unknown> =>
      database.pool.query(`
        create or replace function ledger.read(revision bigint, state bytea) returns bytea language plpgsql as $$ begin
          if ${where} then raise ${condition} using message = 'missing chunk number 0 for toast value 1'; end if;
          return state;
        end $$`);
    const onUnreadable = jest.fn();
    const told = new PostgresSnapshots(database.pool, onUnreadable);
    await failWhere('false');
    await database.pool.query(`
      alter table ledger.snapshots rename to stored;
      create view ledger.snapshots as
        select revision, evolve_version, head_hash, state_hash, signature, ledger.read(revision, state) as state
          from ledger.stored`);
    try {
      await failWhere(`revision = 1 and current_query() like 'copy%'`);
      expect((await told.newest(journal))?.head.revision).toBe(0);
      expect(onUnreadable).toHaveBeenCalledTimes(1);
      // Not even the list of them.
      await failWhere('true');
      expect(await told.newest(journal)).toBeUndefined();
      expect(onUnreadable).toHaveBeenCalledTimes(2);
      expect((await startWriter({ store: journal, snapshots })).revision).toBe(1);
    } finally {
      await database.pool.query(`
        drop view ledger.snapshots; drop function ledger.read; alter table ledger.stored rename to snapshots`);
    }
  });

  it('begin anew where Postgres cannot take a damaged one away', async () => {
    const { journal, writer } = await twoSnapshots();
    await database.pool.query(`
      create function ledger.fail() returns trigger language plpgsql as $$ begin
        raise data_corrupted using message = 'invalid page in block 0';
      end $$;
      create trigger fail before delete on ledger.snapshots for each row when (old.revision = 0) execute function ledger.fail()`);
    try {
      const follower = new SnapshotFollower({ store: journal, snapshots, everyEvents: 1 });
      await follower.start();
      await writer.execute(grant('ada', 100n));
      expect(await follower.advance()).toBe(2);
      const { rows } = await database.pool.query<{ revision: string }>('select revision from ledger.snapshots');
      expect(rows).toEqual([{ revision: '2' }]);
    } finally {
      await database.pool.query('drop function ledger.fail cascade');
    }
    expect((await snapshots.newest(journal))?.head.revision).toBe(2);
  });

  it('are written when enough has come, and the newest two are kept', async () => {
    const journal = new MemoryEventStore();
    const writer = await startWriter({ store: journal });
    const follower = new SnapshotFollower({ store: journal, snapshots, everyEvents: 3 });
    const saved: number[] = [];
    for (let n = 0; n < 12; n++) {
      await writer.execute(grant('ada', 100n));
      saved.push(await follower.advance());
    }
    expect(saved).toEqual([-1, -1, 2, 2, 2, 5, 5, 5, 8, 8, 8, 11]);
    const { rows } = await database.pool.query<{ revision: string }>(
      'select revision from ledger.snapshots order by 1',
    );
    expect(rows.map(({ revision }) => Number(revision))).toEqual([8, 11]);
    const loaded = await snapshots.newest(journal);
    expect(loaded?.state.snapshot()).toEqual((await replayed(journal)).snapshot());
  });

  it('tells of events that no command makes, and goes on with them: they balance', async () => {
    const journal = new MemoryEventStore();
    const writer = await startWriter({ store: journal });
    await writer.execute(grant('ada', 100n));
    await writer.stop();
    const [type, last] = ['NovaGranted', await journal.head(LEDGER_STREAM)];
    const forge = async (revision: number, data: string, before: string): Promise<string> => {
      const hash = chainHash(before, revision, type, data);
      const event = { id: eventIdOf(hash, revision), type, data, metadata: printEnvelope({ hash }) };
      await journal.append(LEDGER_STREAM, [event], revision - 1);
      return hash;
    };
    const data = (amount: string): string =>
      `{"at":${Date.UTC(2026, 0, 2)},"actor":"process","entries":[["issuance:NOVA","NOVA","-100"],["user:bob:earned","NOVA","100"]],"userId":"bob","adminId":"eve","amount":"${amount}"}`;
    const first = await forge(1, data('200'), hashOf(last?.metadata ?? ''));
    await forge(2, data('100'), first);
    const told: string[] = [];
    const onBreach = (sentence: string) => void told.push(sentence);
    const follower = new SnapshotFollower({ store: journal, snapshots, everyEvents: 1, onBreach });
    await follower.start();
    expect(await follower.advance()).toBe(2);
    expect(told).toEqual(['revision 1: NovaGranted has other entries than its command makes']);
    const started = await startWriter({ store: journal });
    expect(started.revision).toBe(2);
    await started.stop();
  });
});

async function replayed(journal: MemoryEventStore): Promise<LedgerState> {
  const state = new LedgerState();
  await followJournal(new StoreJournal(journal), state, EMPTY_HEAD);
  return state;
}

/** Ada's balance, 100 or 200 as eight bytes, with another bit: what the bytes are read into takes it. */
function withOtherBalance(state: Buffer): Buffer {
  const damaged = Buffer.from(state);
  const balance = Buffer.alloc(8);
  for (const amount of [100n, 200n]) {
    balance.writeBigInt64LE(amount);
    const at = damaged.indexOf(balance);
    if (at >= 0) damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
  }
  expect(LedgerState.restore(deserialize(damaged) as LedgerSnapshot).balance('ada', 'earned') % 100n).toBe(1n);
  return damaged;
}
