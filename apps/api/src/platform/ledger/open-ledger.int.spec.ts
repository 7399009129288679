import { type EventStore, PostgresEventStore } from '@app/event-store';
import { PostgresSnapshots, SnapshotFollower } from '@app/ledger';
import { pino } from 'pino';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { loadConfig } from '../config.js';
import { migrate } from '../database/data-source.js';
import { SCHEMA } from '../../schema.js';
import { openLedger } from './open-ledger.js';

describe('the ledger of a server', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  beforeAll(async () => {
    database = await createTestDatabase('open_ledger');
    await migrate(database.url, SCHEMA);
    store = await PostgresEventStore.open({ connectionString: database.url });
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const open = (from: EventStore) =>
    openLedger({
      config: loadConfig({ DATABASE_URL: database.url }),
      databaseUrl: database.url,
      store: from,
      envelope: 2,
      logger: pino({ level: 'silent' }),
      onFatal: (error) => {
        throw error;
      },
    });

  it('begins with the newest snapshot, and reads on from there', async () => {
    const first = await open(store);
    for (const userId of ['ann', 'bob', 'cid']) {
      const command = { type: 'GrantNova', userId, adminId: 'a', amount: 5n } as const;
      await first.writer.execute({ command, actor: 'admin:a' });
    }
    await first.close();
    await new SnapshotFollower({ store, snapshots: new PostgresSnapshots(database.pool), everyEvents: 1 }).advance();

    const begun: (number | undefined)[] = [];
    const watched = new Proxy(store, {
      get: (target, name) => {
        if (name === 'readStream') {
          return (...[stream, options]: Parameters<EventStore['readStream']>) => {
            begun.push(options?.from);
            return target.readStream(stream, options);
          };
        }
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const second = await open(watched);
    expect(second.writer.revision).toBe(2);
    expect(begun.length).toBeGreaterThan(0);
    expect(begun.every((from) => from === 2)).toBe(true);
    await second.close();
  });
});
