import { createTestDatabase } from '../../../test/support/postgres.js';
import { describeEventStore } from './contract.suite.js';
import { PostgresEventStore } from './postgres/postgres-event-store.js';

describeEventStore('postgres', async () => {
  const database = await createTestDatabase('eventstore');
  const store = await PostgresEventStore.open({ pool: database.pool });
  const other = await PostgresEventStore.open({ connectionString: database.url });
  return {
    store,
    other,
    async close() {
      await Promise.all([store.close(), other.close()]);
      await database.drop();
    },
  };
});
