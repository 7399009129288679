import { MemoryEventStore } from '@app/event-store';
import type { PoolClient } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { ChatQueries } from './chats/chat-queries.js';
import { FollowQueries } from './members/follow-queries.js';
import { readModels } from './read-models.js';
import { ProjectionRunner } from './runner/projection-runner.js';
import { projectionMigrations } from './schema.js';
import { BalanceQueries } from './wallet/balance-queries.js';
import { StatementQueries } from './wallet/statement-queries.js';

/** Postgres plans a statement anew this often before it decides whether one plan is as good for all values. */
const PLANNED_ANEW_MAX = 5;
const MEMBER = '018f0000-0000-7000-8000-000000000000';

/** What every member's first pages read; planning took longer than the reading. */
const READS: Readonly<Record<string, (db: PoolClient) => Promise<unknown>>> = {
  'a member’s balances': (db) => new BalanceQueries(db).member(MEMBER),
  'a member’s open chats': (db) => new ChatQueries(db).openOf(MEMBER),
  'requests that wait': (db) => new ChatQueries(db).pendingRequests(MEMBER),
  'requests by price': (db) => new ChatQueries(db).inboundPriority(MEMBER),
  'how many follow': (db) => new FollowQueries(db).counts(MEMBER),
  'a statement’s first page': (db) =>
    new StatementQueries(db).page({ userId: MEMBER, limit: 20, byDay: ['feed_scroll_send'] }),
  'a statement’s totals': (db) => new StatementQueries(db).totals(MEMBER),
};

describe('reads of the first pages', () => {
  let database: TestDatabase;
  let client: PoolClient;

  beforeAll(async () => {
    database = await createTestDatabase('planned_once');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    const store = new MemoryEventStore();
    const runner = new ProjectionRunner({ store, connectionString: database.url, models: readModels });
    await runner.start();
    await runner.stop();
    await store.close();
  });
  beforeEach(async () => {
    client = await database.pool.connect();
  });
  afterEach(() => client.release(true));
  afterAll(() => database.drop());

  it.each(Object.entries(READS))('%s: a connection soon keeps the plan', async (_, read) => {
    for (let n = 0; n < 2 * PLANNED_ANEW_MAX; n++) await read(client);
    const { rows } = await client.query<{ generic: number; custom: number }>(
      'select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements',
    );
    expect(rows).toEqual([{ generic: PLANNED_ANEW_MAX, custom: PLANNED_ANEW_MAX }]);
  });
});
