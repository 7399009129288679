import { EventStoreDbServer } from '../../../test/support/eventstoredb-server.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { collect, newEvents } from './contract.suite.js';
import { EventStoreDbEventStore } from './eventstoredb/eventstoredb-event-store.js';
import { openEventStore } from './open-event-store.js';
import { PostgresEventStore } from './postgres/postgres-event-store.js';

describe('openEventStore', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('open');
  });
  afterAll(() => database.drop());

  it('opens Postgres, by address or pool, on one and the same journal', async () => {
    const byAddress = await openEventStore({ databaseUrl: database.url });
    const byPool = await openEventStore({ pool: database.pool });
    expect(byAddress).toBeInstanceOf(PostgresEventStore);
    await byAddress.append('a', newEvents(2), 'none');
    expect(await collect(byPool.readStream('a'))).toHaveLength(2);
    await Promise.all([byAddress.close(), byPool.close()]);
  });

  it('opens EventStoreDB when it has an address', async () => {
    const server = new EventStoreDbServer();
    await server.start();
    const store = await openEventStore({ pool: database.pool, eventStoreUrl: server.connectionString });
    expect(store).toBeInstanceOf(EventStoreDbEventStore);
    await store.close();
    server.kill();
  });

  it('finds the leader of a cluster by any of its nodes', async () => {
    const server = new EventStoreDbServer();
    await server.start();
    const store = await openEventStore({ pool: database.pool, eventStoreUrl: server.clusterConnectionString });
    await store.append('a', newEvents(2), 'none');
    expect(await collect(store.readStream('a'))).toHaveLength(2);
    await store.close();
    server.kill();
  });
});
