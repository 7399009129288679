import { describeEventStore } from './contract.suite.js';
import { EventStoreDbEventStore } from './eventstoredb/eventstoredb-event-store.js';

const url = process.env['EVENTSTORE_URL'];

if (url) {
  describeEventStore(`eventstoredb, the server at ${url}`, async () => {
    const store = await EventStoreDbEventStore.open({ connectionString: url });
    const other = await EventStoreDbEventStore.open({ connectionString: url });
    return {
      store,
      other,
      async close() {
        await Promise.all([store.close(), other.close()]);
      },
    };
  });
} else {
  process.stderr.write(
    'skipped: EVENTSTORE_URL is not set, so there is no EventStoreDB server to run the contract against\n',
  );
  it.skip('event store contract: eventstoredb server (EVENTSTORE_URL is not set)', () => undefined);
}
