import { EventStoreDbServer } from '../../../test/support/eventstoredb-server.js';
import { describeEventStore } from './contract.suite.js';
import { EventStoreDbEventStore } from './eventstoredb/eventstoredb-event-store.js';

describeEventStore('eventstoredb, over the wire protocol', async () => {
  const server = new EventStoreDbServer();
  await server.start();
  const store = await EventStoreDbEventStore.open({ connectionString: server.connectionString });
  const other = await EventStoreDbEventStore.open({ connectionString: server.connectionString });
  return {
    store,
    other,
    async close() {
      await Promise.all([store.close(), other.close()]);
      server.kill();
    },
  };
});
