import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LedgerState } from '@app/domain';
import { openEventStore, PostgresEventStore, StoreUnavailable } from '@app/event-store';
import { EventStoreDbServer } from '../../../test/support/eventstoredb-server.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { BrokenChain } from './hash-chain.js';
import { EMPTY_HEAD, followJournal, ForeignJournal, type JournalSource, StoreJournal } from './journal-reader.js';
import { grant, startWriter } from './testing/writers.js';
import { ThreadedJournal } from './threaded-journal.js';

// Each reading starts a thread, which takes seconds on a busy machine.
jest.setTimeout(30_000);

/** More than the batches that may be under way. */
const EVENTS = 31_000;
const ENTRY = pathToFileURL(resolve('dist/apps/api/src/platform/ledger/journal-worker.js'));
/** A thread that does nothing but this. */
const thread = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

let database: TestDatabase;
let store: PostgresEventStore;
beforeAll(async () => {
  database = await createTestDatabase('threaded');
  store = await PostgresEventStore.open({ connectionString: database.url });
  const writer = await startWriter({ store });
  for (let at = 0; at < EVENTS; at += 1_000) {
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => writer.execute(grant(`m${(at + n) % 700}`, 1n))));
  }
  await writer.stop();
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const threaded = (entry = ENTRY, databaseUrl = database.url): ThreadedJournal =>
  new ThreadedJournal(store, { databaseUrl, eventStoreUrl: undefined }, entry, { far: 1 });

async function collect(journal: JournalSource, ...range: Parameters<JournalSource['linked']>) {
  const events = [];
  for await (const batch of journal.linked(...range)) {
    for (const { revision, type, data, hash } of batch) events.push({ revision, type, data, hash });
  }
  return events;
}

describe('a journal that a thread reads', () => {
  it('is what the store gives, from any head up to any revision', async () => {
    const near = await collect(new StoreJournal(store), EMPTY_HEAD);
    expect(near).toHaveLength(EVENTS);
    expect(await collect(threaded(), EMPTY_HEAD)).toEqual(near);
    expect(await collect(threaded(), near[999] ?? EMPTY_HEAD, { upTo: 2_000 })).toEqual(near.slice(1_000, 2_001));
  });

  it('gives the same state', async () => {
    const [near, far] = [new LedgerState(), new LedgerState()];
    const head = await followJournal(new StoreJournal(store), near, EMPTY_HEAD);
    expect(await followJournal(threaded(), far, EMPTY_HEAD)).toEqual(head);
    expect(far.snapshot()).toEqual(near.snapshot());
  });

  it('is read from an EventStoreDB as well', async () => {
    const server = new EventStoreDbServer();
    await server.start();
    const address = { databaseUrl: database.url, eventStoreUrl: server.connectionString };
    const elsewhere = await openEventStore({ pool: database.pool, eventStoreUrl: address.eventStoreUrl });
    const writer = await startWriter({ store: elsewhere });
    await Promise.all(Array.from({ length: 1_200 }, (_, n) => writer.execute(grant(`e${n}`, 1n))));
    await writer.stop();
    const near = await collect(new StoreJournal(elsewhere), EMPTY_HEAD);
    expect(near).toHaveLength(1_200);
    expect(await collect(new ThreadedJournal(elsewhere, address, ENTRY, { far: 1 }), EMPTY_HEAD)).toEqual(near);
    await elsewhere.close();
    server.kill();
  });

  it('is read without a thread where little is to read', async () => {
    const address = { databaseUrl: database.url, eventStoreUrl: undefined };
    const journal = new ThreadedJournal(store, address, thread('throw new Error("a thread")'), { far: EVENTS + 1 });
    expect(await collect(journal, EMPTY_HEAD)).toHaveLength(EVENTS);
  });

  it('goes no further ahead than a few batches of a reader that takes its time, and ends with a reader that leaves', async () => {
    const threads = async () => (await database.pool.query(READERS)).rowCount;
    for await (const batch of threaded().linked(EMPTY_HEAD)) {
      expect(batch[0]?.revision).toBe(0);
      await new Promise((settle) => setTimeout(settle, 500));
      expect(await threads()).toBeGreaterThan(1);
      break;
    }
    let left = await threads();
    for (let tries = 0; tries < 100 && (left ?? 0) > 1; tries++) {
      await new Promise((settle) => setTimeout(settle, 20));
      left = await threads();
    }
    expect(left).toBe(1);
  });

  it('is foreign where the head is another, or beyond its end', async () => {
    const [first] = await collect(new StoreJournal(store), EMPTY_HEAD, { upTo: 0 });
    const other = { revision: 1, hash: first?.hash ?? '' };
    await expect(collect(threaded(), other, { upTo: EVENTS })).rejects.toThrow(ForeignJournal);
    await expect(collect(threaded(), { ...other, revision: EVENTS }, { upTo: 2 * EVENTS })).rejects.toThrow(
      ForeignJournal,
    );
  });

  it('is broken where an event was changed', async () => {
    const change = (from: string, to: string) =>
      database.pool.query('update journal.events set data = replace(data, $1, $2) where revision = 30000', [from, to]);
    await change('"amount":"1"', '"amount":"2"');
    await expect(collect(threaded(), EMPTY_HEAD)).rejects.toThrow(BrokenChain);
    await expect(collect(threaded(), EMPTY_HEAD)).rejects.toThrow('the hash of revision 30000 does not fit');
    await change('"amount":"2"', '"amount":"1"');
  });

  it('is unavailable where the thread cannot reach the store', async () => {
    const nowhere = 'postgres://nobody:nothing@127.0.0.1:9/none';
    await expect(collect(threaded(ENTRY, nowhere), EMPTY_HEAD)).rejects.toThrow(StoreUnavailable);
  });

  it('fails with a thread that fails, and with one that ends early', async () => {
    await expect(collect(threaded(thread('throw new Error("out of luck")')), EMPTY_HEAD)).rejects.toThrow(
      'out of luck',
    );
    await expect(collect(threaded(thread('process.exit(0)')), EMPTY_HEAD)).rejects.toThrow(
      'ended before it was through',
    );
  });
});

const READERS = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'event-store read'`;
