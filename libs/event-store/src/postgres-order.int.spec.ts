import { Client } from 'pg';
import { eventually } from '../../../test/support/eventually.js';
import { createTestDatabase, serverUrl, type TestDatabase } from '../../../test/support/postgres.js';
import { collect, newEvent, newEvents, take } from './contract.suite.js';
import { AppendOutcomeUnknown, type RecordedEvent, StoreUnavailable, WrongExpectedRevision } from './port.js';
import { APPEND_LOCK_CLASS } from './postgres/migrations.js';
import { PostgresEventStore } from './postgres/postgres-event-store.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const names = (events: readonly RecordedEvent[]) => events.map((event) => `${event.stream}@${event.revision}`);
const APPEND = 'select * from journal.append($1, $2, $3, $4, $5, $6, $7)';
const parameters = (stream: string, expected: number) => {
  const event = newEvent();
  return [stream, String(expected), '1', event.id, event.type, event.data, event.metadata];
};

describe('postgres event store', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  let ending: AbortController;
  const clients: Client[] = [];

  const connect = async (url = database.url) => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  };

  beforeEach(async () => {
    database = await createTestDatabase('journal');
    store = await PostgresEventStore.open({ pool: database.pool, appendTimeoutMs: 2_000 });
    ending = new AbortController();
  });
  afterEach(async () => {
    ending.abort();
    await Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined)));
    await store.close();
    await database.drop();
  });

  const backendOf = async (name: string) => {
    const { rows } = await database.pool.query<{ pid: number }>(
      'select pid from pg_stat_activity where application_name = $1 and datname = current_database()',
      [name],
    );
    return rows.map((row) => row.pid);
  };

  describe('order', () => {
    it('neither skips nor reorders what commits late, while later appends commit before it', async () => {
      const taken: RecordedEvent[] = [];
      const reading = take(store.subscribeAll({ signal: ending.signal }), (events) => {
        taken.splice(0, taken.length, ...events);
        return events.length >= 5;
      });
      await store.append('before', newEvents(1), 'none');

      const late = await connect();
      await late.query('begin');
      await late.query(APPEND, parameters('late', -1));
      await store.append('after', newEvents(2), 'none');
      await store.append('before', newEvents(1), 0);
      await eventually(() => taken.length > 0);
      await pause(300);
      expect(names(taken)).toEqual(['before@0']);
      expect(names(await collect(store.readAll()))).toEqual(['before@0']);
      // A stream is in order by itself: its readers and its head wait for nobody.
      expect(names(await collect(store.readStream('after')))).toEqual(['after@0', 'after@1']);
      expect(await store.head('before')).toMatchObject({ revision: 1 });

      await late.query('commit');
      expect(names(await reading)).toEqual(['before@0', 'late@0', 'after@0', 'after@1', 'before@1']);
      expect(names(await collect(store.readAll()))).toEqual(names(taken));
    });

    it.each([
      ['every stream', {}],
      ['some streams', { streamPrefixes: ['ledger'] }],
    ])('reads appends to %s whose transaction ids had been given out before a crash of Postgres', async (_, filter) => {
      const IDS_LOST = 20;
      await store.append('ledger', newEvents(1), 'none');
      const taken: RecordedEvent[] = [];
      const reading = take(store.subscribeAll({ ...filter, signal: ending.signal }), (events) => {
        taken.splice(0, taken.length, ...events);
        return events.length >= 2;
      });
      const client = await connect();
      for (let id = 0; id < IDS_LOST; id += 1) {
        await client.query('begin');
        await client.query('select pg_current_xact_id()');
        await client.query('rollback');
      }
      // The subscription looks again, and sees that these ids are over.
      await client.query("notify journal, ''");
      await eventually(() => taken.length > 0);
      await pause(300);
      expect(names(taken)).toEqual(['ledger@0']);
      // What recovery does: ids that left nothing in the write-ahead log are unknown after it.
      await client.query('update journal.position_base set xid_offset = xid_offset - $1', [IDS_LOST]);
      await store.append('ledger', newEvents(1), 0);
      const patience = setTimeout(() => ending.abort(), 10_000);
      await reading.catch(() => undefined);
      clearTimeout(patience);
      expect(names(taken)).toEqual(['ledger@0', 'ledger@1']);
    });

    it('goes on at once when the append that held it back is undone', async () => {
      const late = await connect();
      await late.query('begin');
      await late.query(APPEND, parameters('late', -1));
      await store.append('after', newEvents(1), 'none');
      const reading = take(store.subscribeAll({ signal: ending.signal }), (events) => events.length >= 1);
      await pause(100);
      await late.query('rollback');
      expect(names(await reading)).toEqual(['after@0']);
    });

    it('reads up to a position that readers have come to, although the horizon has gone back behind it', async () => {
      // Older than the appends, and open: what writes in the background of any database of the cluster.
      const older = await connect();
      await older.query('begin');
      await older.query('select pg_current_xact_id()');
      await store.append('a', newEvents(2), 'none');
      await store.append('b', newEvents(1), 'none');
      const all = await collect(store.readAll());
      expect(names(all)).toEqual(['a@0', 'a@1', 'b@0']);
      // An append between its streams' locks and its transaction id.
      const begun = await connect();
      await begun.query('begin');
      await begun.query('select pg_advisory_xact_lock($1, 1)', [APPEND_LOCK_CLASS]);
      expect(await collect(store.readAll())).toEqual([]);
      expect(names(await collect(store.readAll({ upTo: all[2]!.position })))).toEqual(names(all));
      expect(names(await collect(store.readAll({ after: all[0]!.position, upTo: all[1]!.position })))).toEqual(['a@1']);
    });

    it('is not held back by other writing transactions, here or in another database', async () => {
      for (const url of [database.url, serverUrl()]) {
        const other = await connect(url);
        await other.query('begin');
        await other.query('select pg_current_xact_id()');
      }
      const waiting = await connect();
      const reading = take(store.subscribeAll({ signal: ending.signal }), (events) => events.length >= 2);
      await store.append('a', newEvents(2), 'none');
      expect(names(await reading)).toEqual(['a@0', 'a@1']);
      await waiting.end();
    });

    it('is not held back by an append that only waits for its stream', async () => {
      const holder = await connect();
      await holder.query('begin');
      await holder.query(APPEND, parameters('held', -1));
      await store.append('a', newEvents(1), 'none');
      const waiting = await connect();
      const waited = waiting.query(APPEND, parameters('held', 0));
      await pause(50);
      await holder.query('commit');
      await waited;
      const events = await take(store.subscribeAll({ signal: ending.signal }), (taken) => taken.length >= 3);
      expect(names(events)).toEqual(['held@0', 'a@0', 'held@1']);
    });

    it('is looked for neither at appends to other streams nor while the one under way holds nothing back', async () => {
      const query = jest.spyOn(database.pool, 'query');
      const reads = (): number => query.mock.calls.filter(([asked]) => isRead(asked)).length;
      const isRead = (asked: unknown): boolean => JSON.stringify(asked).includes('journal.read_after');
      const reading = take(store.subscribeAll({ streamPrefixes: ['chat-'], signal: ending.signal }), () => true);
      await pause(100);
      const [before, began] = [reads(), performance.now()];
      for (let n = 0; n < 20; n += 1) await store.append(`ledger-${n}`, newEvents(1), 'none');
      const late = await connect();
      await late.query('begin');
      await late.query(APPEND, parameters('chat-late', -1));
      await pause(300);
      // It looks now and then without being told: four times a second.
      expect(reads() - before).toBeLessThanOrEqual(2 + (performance.now() - began) / 250);
      await late.query('commit');
      expect(names(await reading)).toEqual(['chat-late@0']);
    });

    it('is told at once of its streams, also among more than can be told', async () => {
      const others = Array.from({ length: 30 }, (_, n) => `${n}-${'x'.repeat(400)}`);
      for (const [round, streams] of [['chat-1'], ['ledger', 'chat-2'], [...others, 'chat-3']].entries()) {
        const name = streams.at(-1) ?? '';
        // Untold, it takes 220 ms until it looks by itself; told, more only where the machine stood still, and not each time.
        let isTold = false;
        for (let attempt = 0; attempt < 5 && !isTold; attempt++) {
          const ofAttempt = streams.map((stream) => `${stream}-${attempt}`);
          const reading = take(
            store.subscribeAll({ streamPrefixes: [`${name}-${attempt}`], signal: ending.signal }),
            () => true,
          );
          await pause(280);
          const began = performance.now();
          await Promise.all(ofAttempt.map((stream) => store.append(stream, newEvents(1), 'none')));
          expect(names(await reading)).toEqual([`${name}-${attempt}@0`]);
          isTold = performance.now() - began < 200;
        }
        expect([round, isTold]).toEqual([round, true]);
      }
    });

    it('refuses to append inside a transaction that wrote before', async () => {
      const client = await connect();
      await client.query('begin');
      await client.query('select pg_current_xact_id()');
      await expect(client.query(APPEND, parameters('a', -1))).rejects.toThrow('first write of its transaction');
    });

    it('keeps the order of positions through many writers that commit out of order', async () => {
      const writers = await Promise.all(Array.from({ length: 4 }, () => connect()));
      const total = 4 * 30;
      const reading = take(store.subscribeAll({ signal: ending.signal }), (events) => events.length >= total);
      await Promise.all(
        writers.map(async (writer, n) => {
          for (let i = 0; i < 30; i += 1) {
            await writer.query('begin');
            await writer.query(APPEND, parameters(`s-${n}`, i - 1));
            await pause(Math.random() * 8);
            await writer.query('commit');
          }
        }),
      );
      const events = await reading;
      const positions = events.map((event) => event.position);
      expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)));
      expect(new Set(positions).size).toBe(total);
      for (let n = 0; n < 4; n += 1) {
        const own = events.filter((event) => event.stream === `s-${n}`).map((event) => event.revision);
        expect(own).toEqual(Array.from({ length: 30 }, (_, i) => i));
      }
    });

    it('rises above all positions of a restored database', async () => {
      await store.append('a', newEvents(1), 'none');
      await database.pool.query('update journal.events set position = position + (1000000::bigint << 20)');
      const restored = await PostgresEventStore.open({ connectionString: database.url });
      await restored.append('a', newEvents(1), 0);
      expect(names(await collect(restored.readAll()))).toEqual(['a@0', 'a@1']);
      await restored.close();
      const again = await PostgresEventStore.open({ connectionString: database.url });
      await again.append('a', newEvents(1), 1);
      expect(names(await collect(again.readAll()))).toEqual(['a@0', 'a@1', 'a@2']);
      await again.close();
    });
  });

  describe('repeats', () => {
    it('takes the same ids with other bytes for a conflict', async () => {
      const [event] = newEvents(1);
      await store.append('a', [event!], 'none');
      await expect(store.append('a', [{ ...event!, data: '{"n":2}' }], 'none')).rejects.toBeInstanceOf(
        WrongExpectedRevision,
      );
    });
  });

  describe('failures', () => {
    it('answers unavailable when nothing listens, and when the store is closed', async () => {
      const dead = { connectionString: 'postgres://postgres@127.0.0.1:1/none' };
      await expect(PostgresEventStore.open(dead)).rejects.toBeInstanceOf(StoreUnavailable);
      const closed = await PostgresEventStore.open({ connectionString: database.url });
      await closed.close();
      await expect(closed.append('a', newEvents(1), 'none')).rejects.toBeInstanceOf(StoreUnavailable);
    });

    it('answers unknown when the connection breaks under an append, and the repeat finds out', async () => {
      await store.append('warm', newEvents(1), 'none');
      const holder = await connect();
      await holder.query('begin');
      await holder.query(APPEND, parameters('a', -1));
      const events = newEvents(2);
      const broken = store.append('a', events, 0);
      const outcome = expect(broken).rejects.toBeInstanceOf(AppendOutcomeUnknown);
      await pause(50);
      const [pid] = await backendOf('event-store append');
      await database.pool.query('select pg_terminate_backend($1)', [pid]);
      await outcome;
      await holder.query('commit');
      await expect(store.append('a', events, 0)).resolves.toEqual({ revision: 2 });
      await expect(store.append('a', events, 0)).resolves.toEqual({ revision: 2 });
      expect(await collect(store.readStream('a'))).toHaveLength(3);
    });

    it('answers unavailable when the server undid the append at its time-out', async () => {
      const holder = await connect();
      await holder.query('begin');
      await holder.query(APPEND, parameters('a', -1));
      await expect(store.append('a', newEvents(1), 'none')).rejects.toBeInstanceOf(StoreUnavailable);
      await holder.query('rollback');
      expect(await store.head('a')).toBeUndefined();
      await expect(store.append('a', newEvents(1), 'none')).resolves.toEqual({ revision: 0 });
    });

    it('keeps a subscription through the loss of all its connections', async () => {
      const reading = take(store.subscribeAll({ signal: ending.signal }), (events) => events.length >= 2);
      await store.append('a', newEvents(1), 'none');
      await pause(100);
      const killer = await connect(serverUrl());
      await killer.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        new URL(database.url).pathname.slice(1),
      ]);
      await pause(100);
      await store.append('a', newEvents(1), 0);
      expect(names(await reading)).toEqual(['a@0', 'a@1']);
    });

    it('is away while its role lacks a right, and goes on once that is given back', async () => {
      const role = new URL(database.url).username;
      await store.append('a', newEvents(1), 'none');
      const reading = take(store.subscribeAll({ signal: ending.signal }), (events) => events.length >= 2);
      await database.pool.query(`revoke all on journal.events from ${role}`);
      await expect(store.append('b', newEvents(1), 'none')).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(store.head('a')).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(collect(store.readStream('a'))).rejects.toBeInstanceOf(StoreUnavailable);

      await database.pool.query(`grant all on journal.events to ${role}`);
      await store.append('c', newEvents(1), 'none');
      expect(names(await reading)).toEqual(['a@0', 'c@0']);
    });

    it('commits to disk although the database prefers not to', async () => {
      await database.pool.query(
        `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
      );
      const durable = await PostgresEventStore.open({ connectionString: database.url });
      await database.pool.query(`create table seen (value text);
        create function note() returns trigger language plpgsql as $$
          begin insert into public.seen values (current_setting('synchronous_commit')); return null; end $$;
        create trigger note after insert on journal.events for each statement execute function note()`);
      await durable.append('a', newEvents(1), 'none');
      await durable.close();
      const { rows } = await database.pool.query('select value from seen');
      expect(rows).toEqual([{ value: 'on' }]);
    });
  });

  it('reads what somebody else wrote into the table as it is, line breaks and all', async () => {
    await store.append('a', newEvents(150), 'none');
    await database.pool.query(`update journal.events set data = E'{\\n}' where revision in (3, 120)`);
    const read = await collect(store.readStream('a'));
    expect(read.map(({ revision }) => revision)).toEqual(Array.from({ length: 150 }, (_, n) => n));
    expect(read.filter(({ data }) => data === '{\n}').map(({ revision }) => revision)).toEqual([3, 120]);
  });

  it('opens in several processes at once on an empty database', async () => {
    const fresh = await createTestDatabase('fresh');
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => PostgresEventStore.open({ connectionString: fresh.url })),
    );
    await Promise.all(stores.map((opened, n) => opened.append(`s-${n}`, newEvents(1), 'none')));
    expect(await collect(stores[0]!.readAll())).toHaveLength(4);
    await Promise.all(stores.map((opened) => opened.close()));
    await fresh.drop();
  });
});
