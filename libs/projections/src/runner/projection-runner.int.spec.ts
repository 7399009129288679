import { MemoryEventStore } from '@app/event-store';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { BalanceQueries } from '../balances/balance-queries.js';
import { ledgerReadModels } from '../ledger-read-models.js';
import { recomputeReadModels } from '../rebuild/recompute.js';
import { projectionMigrations } from '../schema.js';
import { StatementQueries } from '../statement/statement-queries.js';
import { randomCommands } from '../testing/random-commands.js';
import { TestJournal } from '../testing/test-journal.js';
import { ProjectionRunner } from './projection-runner.js';

jest.setTimeout(60_000);

const NAMES = ledgerReadModels.map(({ name }) => name);

describe('ProjectionRunner', () => {
  let database: TestDatabase;
  let store: MemoryEventStore;
  let journal: TestJournal;
  const runners: ProjectionRunner[] = [];
  const errors: unknown[] = [];

  const newRunner = (models = ledgerReadModels): ProjectionRunner => {
    const runner = new ProjectionRunner({
      store,
      connectionString: database.url,
      models,
      logger: { info: () => undefined, error: (message, error) => errors.push([message, error]) },
    });
    runners.push(runner);
    return runner;
  };

  beforeEach(async () => {
    database = await createTestDatabase('projections');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    store = new MemoryEventStore();
    journal = new TestJournal(store);
    errors.length = 0;
  });

  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop();
    await store.close();
    await database.drop();
  });

  it('shows at every revision what the ledger has, and adds up row by row', async () => {
    const runner = newRunner();
    await runner.start();
    const next = randomCommands(1);
    const statements = new StatementQueries(database.pool);
    const past: { revision: number; at: number; nova: Map<string, bigint> }[] = [];
    const members = Array.from({ length: 6 }, (_, index) => `member-${index}`);
    for (let round = 0; round < 1_500; round++) {
      const events = await journal.execute(next());
      if (events.length === 0) continue;
      const nova = new Map(members.map((id) => [id, journal.state.novaBalance(id)]));
      past.push({ revision: journal.state.revision, at: journal.now, nova });
    }
    expect(await runner.waitFor(NAMES, journal.state.revision, 20_000)).toEqual({ projected: true });
    expect(errors).toEqual([]);

    const balances = new BalanceQueries(database.pool);
    for (const id of members) {
      const { purchased, earned, pending, karma, influence, owed, nova } = await balances.member(id);
      expect({ purchased, earned, pending, karma, influence, owed }).toEqual({
        purchased: journal.state.balance(id, 'purchased'),
        earned: journal.state.balance(id, 'earned'),
        pending: journal.state.balance(id, 'pending'),
        karma: journal.state.balance(id, 'karma'),
        influence: journal.state.balance(id, 'influence'),
        owed: journal.state.owed(id),
      });
      const rows = [];
      let cursor: string | undefined;
      do {
        const page = await statements.page({ userId: id, limit: 7, ...(cursor && { cursor }) });
        rows.push(...page.rows);
        expect(page.nova).toBe(nova);
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(rows.reduce((sum, { amount }) => sum + amount, 0n) + owed).toBe(nova);
      let balance = 0n;
      for (const row of rows.toReversed()) expect((balance += row.amount)).toBe(row.balance);
      for (const moment of past.filter((_, index) => index % 11 === 0)) {
        const { revision, at } = moment;
        expect((await statements.balanceAt(id, { revision })).nova).toBe(moment.nova.get(id));
        expect((await statements.balanceAt(id, { time: new Date(at) })).nova).toBe(moment.nova.get(id));
      }
    }
    const verified = await recomputeReadModels({ store, connectionString: database.url, models: ledgerReadModels });
    expect(verified.map(({ name, matched }) => [name, matched])).toEqual(NAMES.map((name) => [name, true]));
  });
});
