import { LEDGER_STREAM } from '@app/domain';
import { EventStoreDbEventStore, type EventStore, type NewEvent, PostgresEventStore } from '@app/event-store';
import { EventStoreDbServer } from '../../../../test/support/eventstoredb-server.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { migrate } from '../platform/database/data-source.js';
import { SCHEMA } from '../schema.js';
import { moveJournal } from './move-journal.js';

jest.setTimeout(60_000);

const newEvents = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, n) => ({
    id: crypto.randomUUID(),
    type: 'Said',
    data: JSON.stringify({ text: `Größe ${n}`, rest: '.'.repeat(n % 700) }),
    metadata: ['{"hash":"x"}', `{"nova":2,"$correlationId":"${crypto.randomUUID()}","actor":"Größe"}`, ''][n % 3] ?? '',
  }));

/** All that is the same in every store, in the order of all events. */
async function contentOf(store: EventStore): Promise<object[]> {
  const events: object[] = [];
  for await (const batch of store.readAll()) events.push(...batch.map((event) => ({ ...event, position: undefined })));
  return events;
}

describe('moveJournal', () => {
  let server: EventStoreDbServer;
  let database: TestDatabase;
  let from: PostgresEventStore;
  let to: EventStoreDbEventStore;
  beforeEach(async () => {
    database = await createTestDatabase('move');
    await migrate(database.url, SCHEMA);
    from = await PostgresEventStore.open({ connectionString: database.url });
    await from.append('chat-1', newEvents(3), 'none');
    await from.append(LEDGER_STREAM, newEvents(2_500), 'none');
    await from.append('chat-1', newEvents(2), 2);
    await from.append(LEDGER_STREAM, newEvents(700), 2_499);
    await database.pool.query(
      "insert into read.checkpoint (name, version, position, revision) values ('balances', 1, 5, 3199)",
    );
    server = new EventStoreDbServer();
    await server.start();
    to = await EventStoreDbEventStore.open({ connectionString: server.connectionString });
  });
  afterEach(async () => {
    await to.close();
    server.kill();
    await from.close();
    await database.drop();
  });

  const move = (target: EventStore = to): Promise<number> => moveJournal({ from, to: target, pool: database.pool });
  const schemas = async (): Promise<string[]> =>
    (await database.pool.query("select nspname from pg_namespace where nspname like 'journal%' order by 1")).rows.map(
      ({ nspname }) => nspname,
    );
  const checkpoint = async () => (await database.pool.query('select * from read.checkpoint')).rows[0];
  const failing = (appends: number): EventStore => {
    let left = appends;
    return new Proxy<EventStore>(to, {
      get(target, name) {
        if (name === 'append' && left-- <= 0) return () => Promise.reject(new Error('the machine went off'));
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };

  it('copies in smaller pieces where the event store takes less at once', async () => {
    const strict = new EventStoreDbServer({ appendBytesMax: 40_000 });
    await strict.start();
    const store = await EventStoreDbEventStore.open({ connectionString: strict.connectionString });
    await move(store);
    expect(await contentOf(store)).toHaveLength(3_205);
    await store.close();
    strict.kill();
  });

  it('copies every event as it is, in the order of all, and leaves no journal in Postgres', async () => {
    const before = await contentOf(from);
    // What the chats' process manager has seen to ends with the third event.
    await database.pool.query(
      "insert into chat_process (name, position) select 'chats', position from journal.events order by position offset 2 limit 1",
    );
    // And the notices' with the one after it.
    await database.pool.query(
      "insert into notice_process (name, position) select 'notices', position from journal.events order by position offset 3 limit 1",
    );
    expect(await move()).toBe(3_205);
    expect(await contentOf(to)).toEqual(before);
    expect(await schemas()).toEqual(['journal_moved']);
    expect(await checkpoint()).toMatchObject({ version: 0, position: '-1', revision: '3199' });
    // Each goes on with the event after the last one that it saw: it tells nothing twice, and leaves nothing out.
    for (const [process, revision] of [
      ['chat_process', 0],
      ['notice_process', 1],
    ] as const) {
      const [seen] = (await database.pool.query(`select position from ${process}`)).rows;
      for await (const [next] of to.readAll({ after: BigInt(seen.position), limit: 1 })) {
        expect([next?.stream, next?.revision]).toEqual([LEDGER_STREAM, revision]);
      }
    }
    expect.assertions(6);
  });

  it.each([0, 1, 2, 3])('goes on where one ended that was interrupted after %d appends', async (appends) => {
    const before = await contentOf(from);
    await expect(move(failing(appends))).rejects.toThrow('the machine went off');
    expect(await schemas()).toEqual(['journal']);
    expect(await checkpoint()).toMatchObject({ version: 1, position: '5' });
    expect(await move()).toBe(3_205);
    expect(await contentOf(to)).toEqual(before);
  });

  it('refuses while a server feeds read models, and holds off one that comes', async () => {
    await database.pool.query("update read.checkpoint set owner = 'host/1', lease_until = now() + interval '1 hour'");
    await expect(move()).rejects.toThrow('A server uses this journal (host/1). Stop all servers first.');
    expect(await contentOf(to)).toEqual([]);
    await database.pool.query("update read.checkpoint set lease_until = '-infinity'");

    let refused: unknown;
    const racing = new Proxy<EventStore>(to, {
      get(target, name) {
        if (name !== 'append') return (Reflect.get(target, name) as () => unknown).bind?.(target);
        return async (...given: Parameters<EventStore['append']>) => {
          const writing = 'do $$ begin lock table journal.events in row exclusive mode nowait; end $$';
          refused ??= await database.pool.query(writing).catch((error: unknown) => error);
          return await target.append(...given);
        };
      },
    });
    expect(await move(racing)).toBe(3_205);
    expect(String(refused)).toContain('could not obtain lock');
  });

  it('refuses an event store with other events', async () => {
    await to.append('chat-1', newEvents(1), 'none');
    await expect(move()).rejects.toThrow('The event store has other events than this journal (revision 0 of chat-1)');
    expect(await schemas()).toEqual(['journal']);
  });

  it('refuses an event store that goes on after the end of this journal', async () => {
    await expect(move(failing(2))).rejects.toThrow('the machine went off');
    await database.pool.query(
      'delete from journal.events where position > (select min(position) + 9 from journal.events)',
    );
    await expect(move()).rejects.toThrow('The event store has other events than this journal');
  });

  it('says so where there is nothing to move', async () => {
    await database.pool.query('delete from journal.events');
    await expect(move()).rejects.toThrow('there is nothing to move');
  });
});
