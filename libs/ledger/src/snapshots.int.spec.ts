import { serialize } from 'node:v8';
import { decide, evolve, EVOLVE_VERSION, LEDGER_STREAM, LedgerState } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { hashOf } from './hash-chain.js';
import { followJournal, EMPTY_HEAD, StoreJournal, type JournalHead } from './journal-reader.js';
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

  it.each([
    ['cut off', serialize(new LedgerState().snapshot()).subarray(0, 40)],
    ['empty', Buffer.alloc(0)],
    ['no value at all', Buffer.from('no snapshot')],
    ['another value', serialize({ version: EVOLVE_VERSION })],
  ])('are passed over where their bytes are damaged: %s', async (_, damaged) => {
    const journal = new MemoryEventStore();
    const writer = await startWriter({ store: journal });
    const follower = new SnapshotFollower({ store: journal, snapshots, everyEvents: 1 });
    for (let n = 0; n < 2; n++) {
      await writer.execute(grant('ada', 100n));
      await follower.advance();
    }
    const onUnreadable = jest.fn();
    const told = new PostgresSnapshots(database.pool, onUnreadable);
    await database.pool.query('update ledger.snapshots set state = $1 where revision = 1', [damaged]);
    expect((await told.newest(journal))?.head.revision).toBe(0);
    expect(onUnreadable).toHaveBeenCalledTimes(1);
    await database.pool.query('update ledger.snapshots set state = $1', [damaged]);
    expect(await told.newest(journal)).toBeUndefined();
    expect((await startWriter({ store: journal, snapshots })).revision).toBe(1);
    // Whoever writes them begins anew, and puts a whole one in the place of the damaged one.
    const next = new SnapshotFollower({ store: journal, snapshots, everyEvents: 1 });
    await next.start();
    expect(await next.advance()).toBe(1);
    expect((await snapshots.newest(journal))?.head.revision).toBe(1);
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
});

async function replayed(journal: MemoryEventStore): Promise<LedgerState> {
  const state = new LedgerState();
  await followJournal(new StoreJournal(journal), state, EMPTY_HEAD);
  return state;
}
