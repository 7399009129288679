import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const foreign = () => jsonEvent({ type: 'UserRenamed', data: { name: 'Ann' }, metadata: { by: 'another program' } });

/** The event store may be shared: events of another program, under any names, do not concern us. */
describe('an event store with the events of another program', () => {
  const server = new EventStoreDbServer();
  let database: TestDatabase;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    await server.start();
    client = EventStoreDBClient.connectionString(server.connectionString);
    database = await createTestDatabase('shared');
  });
  afterAll(async () => {
    await client.dispose();
    server.kill();
    await database.drop();
  });

  const start = (): Promise<TestApi> =>
    startTestApi({ database, environment: { EVENTSTORE_URL: server.connectionString } });
  const follows = async (follower: TestMember): Promise<number> => {
    const found = await database.pool.query<{ count: number }>(
      'select count(*)::int as count from read.follows where follower_id = $1',
      [follower.id],
    );
    return found.rows[0]?.count ?? 0;
  };

  it('serves its members, passes those events over and counts them', async () => {
    await client.appendToStream('user-42', foreign());
    const api = await start();
    try {
      const [ada, bob, cyd] = [await api.member(), await api.member(), await api.member()];
      await ada.browser.post(`/api/users/${bob.id}/follow`);
      await client.appendToStream('user-42', foreign());
      await client.appendToStream(`user-${ada.id}`, [foreign(), foreign()]);
      expect((await ada.browser.post(`/api/users/${cyd.id}/follow`)).status).toBeLessThan(300);
      await eventually(
        () => follows(ada),
        (count) => count === 2,
      );
      const metrics = await eventually(
        async () => String((await api.browser().get('/metrics')).body),
        (text) => /^nova_foreign_events [4-9]/m.test(text),
      );
      expect(metrics).toContain('nova_foreign_events');
      expect((await api.browser().get('/health/ready')).status).toBe(200);
    } finally {
      await api.close();
    }
  });

  it('is refused where a stream has the very name of one of ours', async () => {
    await client.appendToStream('periods', foreign());
    await expect(start()).rejects.toThrow(
      /^The event store that EVENTSTORE_URL names cannot be shared: its stream periods is another program's \(type/,
    );
  });
});
