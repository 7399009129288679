import { setImmediate } from 'node:timers/promises';
import { type ClientConfig, escapeLiteral, Pool, type QueryConfig } from 'pg';
import { checkAppend } from '../check-append.js';
import {
  type AppendResult,
  type EventBatches,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  READ_BATCH_MAX,
  type ReadAllOptions,
  type ReadOptions,
  type RecordedEvent,
  StoreUnavailable,
  type SubscribeOptions,
} from '../port.js';
import { pause, type Wakeups } from '../wakeups.js';
import { AppendListener } from './append-listener.js';
import { type CopiedRange, copyEvents } from './copied-events.js';
import { COLUMNS, eventsFrom, type EventRow, inStream, IN_STREAM, recordedEvent } from './event-rows.js';
import { GroupAppender } from './group-appender.js';
import { migrateJournal } from './migrate.js';
import { isTransient, messageOf } from './postgres-errors.js';

export type PostgresEventStoreOptions = ({ readonly connectionString: string } | { readonly pool: Pool }) & {
  /** After so long an append is given up (10 s). */
  readonly appendTimeoutMs?: number;
};

/** Subscriptions look again after so long without a notification: a safeguard while LISTEN works, the way otherwise. */
const POLL_LISTENING_MS = 250;
const POLL_DEAF_MS = 25;
/** How soon to look again while an append under way holds back what came after it. */
const UNSETTLED_MS_MIN = 1;
const UNSETTLED_MS_MAX = 25;
const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 2_000;
const READ_CONNECTIONS = 4;
/** A read that is not answered by then has lost its connection; what a batch takes is far below. */
const READ_MS_MAX = 10_000;

/** Of all streams: what reads them makes rows of events, and Postgres takes the rows of one batch while the next is read. */
const ALL_BATCH = 2_000;

/** Whoever reads a short stream is not to wait until thousands of events were looked for. */
const FIRST_READ = 100;

/** @param prefixes an array of texts: a placeholder or literals */
const ofPrefix = (prefixes: string): string =>
  `(select s.name ^@ any (${prefixes}) from journal.streams s where s.id = e.stream)`;
const OF_PREFIX = ofPrefix('$4::text[]');

interface Asked {
  /** What a full batch has. */
  readonly size: number;
  readonly batch: Promise<RecordedEvent[]>;
}

const NOTHING: Asked = { size: 0, batch: Promise.resolve([]) };

/** Between two positions, neither included. */
interface Range {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly size: number;
  readonly prefixes: readonly string[] | undefined;
}

/**
 * Keeps events in the schema `journal` of a Postgres database, data and metadata as the text that was given.
 *
 * Appends of concurrent callers share transactions, each one round trip; an answer means that the commit is on disk.
 * Positions follow the order of transaction ids. Reading in the order of positions stops before the first append that is
 * still under way anywhere, so an event that commits late is never passed over: a stuck append delays readers and does not
 * confuse them. Other transactions of the cluster, however long, delay nobody.
 */
export class PostgresEventStore implements EventStore {
  readonly maxAppendBytes = 4_194_304;
  readonly #pool: Pool;
  readonly #ownsPool: boolean;
  readonly #appender: GroupAppender;
  readonly #listener: AppendListener;
  readonly #closing = new AbortController();

  private constructor(options: PostgresEventStoreOptions) {
    this.#ownsPool = !('pool' in options);
    this.#pool =
      'pool' in options
        ? options.pool
        : new Pool({
            connectionString: options.connectionString,
            max: READ_CONNECTIONS,
            application_name: 'event-store read',
            keepAlive: true,
            connectionTimeoutMillis: READ_MS_MAX,
          });
    // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
    if (this.#ownsPool) this.#pool.on('error', () => undefined);
    const settings = connectionSettings(this.#pool);
    this.#appender = new GroupAppender(settings, { timeoutMs: options.appendTimeoutMs ?? 10_000 });
    this.#listener = new AppendListener(settings);
  }

  /**
   * Connects, brings the schema `journal` up to date and makes sure that new positions will be above all present ones (a
   * restored database may sit in a cluster with smaller transaction ids).
   * @throws StoreUnavailable the database cannot be reached
   */
  static async open(options: PostgresEventStoreOptions): Promise<PostgresEventStore> {
    const store = new PostgresEventStore(options);
    try {
      await migrateJournal(store.#pool);
    } catch (error) {
      await store.close();
      if (!isTransient(error)) throw error;
      throw new StoreUnavailable(`no connection to the event store: ${messageOf(error)}`, { cause: error });
    }
    return store;
  }

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const bytes = checkAppend({ stream, events, expected }, this.maxAppendBytes);
    return this.#appender.append({ stream, events, expected, bytes });
  }

  async *readStream(stream: string, options: ReadOptions = {}): EventBatches {
    const isBackwards = options.direction === 'backwards';
    let left = options.limit ?? Infinity;
    let size = FIRST_READ;
    const ask = (last?: RecordedEvent): Asked => {
      const first = options.from ?? (isBackwards ? 2_147_483_647 : 0);
      const from = last ? last.revision + (isBackwards ? -1 : 1) : first;
      const asked = Math.min(left, size);
      left -= asked;
      size = READ_BATCH_MAX;
      if (asked <= 0) return NOTHING;
      const batch = isBackwards ? this.#readBackwards(stream, from, asked) : this.#readForwards(stream, from, asked);
      return { size: asked, batch };
    };
    yield* readAhead(ask, options.signal);
  }

  async *readAll(options: ReadAllOptions = {}): EventBatches {
    const { position: horizon } = await this.#horizon();
    const isBackwards = options.direction === 'backwards';
    const { after, streamPrefixes: prefixes } = options;
    let left = options.limit ?? Infinity;
    let lower = isBackwards ? -1n : (after ?? -1n);
    let upper = isBackwards && after !== undefined && after < horizon ? after : horizon;
    const ask = (last?: RecordedEvent): Asked => {
      if (last && isBackwards) upper = last.position;
      else if (last) lower = last.position;
      const size = Math.min(left, ALL_BATCH);
      left -= size;
      const range = { lower, upper, size, prefixes };
      if (size <= 0) return NOTHING;
      return { size, batch: isBackwards ? this.#readDown(range) : this.#readUp(range) };
    };
    yield* readAhead(ask, options.signal);
  }

  async *subscribeAll(options: SubscribeOptions): EventBatches {
    const wakeups = this.#listener.subscribe(options.streamPrefixes);
    try {
      yield* this.#follow(options, wakeups);
    } finally {
      this.#listener.unsubscribe(wakeups);
    }
  }

  async *#follow(options: SubscribeOptions, wakeups: Wakeups): EventBatches {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    let after = options.after ?? -1n;
    let unsettledMs = UNSETTLED_MS_MIN;
    let retryMs = RETRY_MS_MIN;
    while (!signal.aborted) {
      const seen = wakeups.generation;
      let read: ReadAfter;
      try {
        read = await this.#readAfter(after, options.streamPrefixes);
      } catch (error) {
        if (signal.aborted) return;
        if (!isTransient(error)) throw error;
        await pause(retryMs, signal);
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
        continue;
      }
      retryMs = RETRY_MS_MIN;
      if (read.events.length > 0) {
        if (signal.aborted) return;
        yield read.events;
        unsettledMs = UNSETTLED_MS_MIN;
      }
      after = read.through;
      if (read.hasMore) continue;
      if (read.isSettled) {
        unsettledMs = UNSETTLED_MS_MIN;
        const pollMs = this.#listener.isListening ? POLL_LISTENING_MS : POLL_DEAF_MS;
        await wakeups.wait(seen, pollMs, signal);
      } else {
        await wakeups.wait(seen, unsettledMs, signal);
        unsettledMs = Math.min(unsettledMs * 2, UNSETTLED_MS_MAX);
      }
    }
  }

  async head(stream: string): Promise<RecordedEvent | undefined> {
    const text = `select ${COLUMNS} from journal.events e where ${IN_STREAM} order by e.revision desc limit 1`;
    const [newest] = await this.#read(text, [stream]);
    return newest;
  }

  /** Finishes the appends that wait, ends the subscriptions and the store's own connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#appender.close(), this.#listener.close()]);
    if (this.#ownsPool && !this.#pool.ended) await this.#pool.end();
  }

  async #horizon(): Promise<{ readonly position: bigint; readonly settled: boolean }> {
    const [row] = await this.#query<[string, boolean]>({
      text: 'select h.position, h.settled from journal.horizon() h',
    });
    if (!row) throw new StoreUnavailable('journal.horizon() gave no answer');
    return { position: BigInt(row[0]), settled: row[1] };
  }

  async #readAfter(after: bigint, prefixes: readonly string[] | undefined): Promise<ReadAfter> {
    const rows = await this.#query<EventRow>({
      name: 'journal-read-after',
      text: 'select position, stream, revision, id, type, data, metadata from journal.read_after($1, $2, $3)',
      values: [after.toString(), prefixes ?? null, READ_BATCH_MAX],
    });
    const last = rows.at(-1);
    if (!last) throw new StoreUnavailable('journal.read_after() gave no answer');
    const hasMore = last[1] !== '';
    const events = (hasMore ? rows : rows.slice(0, -1)).map(recordedEvent);
    return { events, through: BigInt(last[0]), hasMore, isSettled: !hasMore && last[2] === 1 };
  }

  #readDown({ lower, upper, size, prefixes }: Range): Promise<RecordedEvent[]> {
    const filter = prefixes === undefined ? '' : ` and ${OF_PREFIX}`;
    const text = `select ${COLUMNS} from journal.events e where e.position > $1 and e.position < $2${filter}
      order by e.position desc limit $3`;
    const values = [lower.toString(), upper.toString(), size];
    return this.#read(text, prefixes === undefined ? values : [...values, prefixes]);
  }

  #readUp({ lower, upper, size, prefixes }: Range): Promise<RecordedEvent[]> {
    const listed = prefixes?.map((prefix) => escapeLiteral(prefix)).join(', ');
    const filter = listed === undefined ? '' : ` and ${ofPrefix(`array[${listed}]::text[]`)}`;
    return this.#copy({ where: `e.position > ${lower} and e.position < ${upper}${filter}`, order: 'e.position', size });
  }

  // A revision is asked for by whatever number: one beyond the column's type is one that is not there.
  #readBackwards(stream: string, from: number, size: number): Promise<RecordedEvent[]> {
    const text = `select ${COLUMNS} from journal.events e where ${IN_STREAM} and e.revision <= $2::bigint
      order by e.revision desc limit $3`;
    return this.#read(text, [stream, from, size]);
  }

  async #readForwards(stream: string, from: number, size: number): Promise<RecordedEvent[]> {
    if (size <= FIRST_READ) return (await this.#query<EventRow>(eventsFrom(stream, from, size))).map(recordedEvent);
    const where = `${inStream(escapeLiteral(stream))} and e.revision >= ${BigInt(from)}`;
    return this.#copy({ stream, where, order: 'e.revision', size });
  }

  /** @throws StoreUnavailable it was not answered, and may be later */
  async #copy(wanted: CopiedRange): Promise<RecordedEvent[]> {
    const client = await this.#pool.connect().catch(notRead);
    try {
      const events = await copyEvents(client, wanted, READ_MS_MAX);
      client.release();
      return events;
    } catch (error) {
      client.release(true);
      return notRead(error);
    }
  }

  async #read(text: string, values: readonly unknown[]): Promise<RecordedEvent[]> {
    return (await this.#query<EventRow>({ text, values: [...values] })).map(recordedEvent);
  }

  /** @throws StoreUnavailable it was not answered, and may be later */
  async #query<R extends unknown[]>(query: QueryConfig): Promise<R[]> {
    const inTime = { ...query, rowMode: 'array' as const, query_timeout: READ_MS_MAX };
    return (await this.#pool.query<R>(inTime).catch(notRead)).rows;
  }
}

/**
 * One batch after the other, until one is not full. Postgres reads on while a batch is looked at: the next question must be on
 * its way before that takes the thread. A reader that has seen enough leaves it unanswered.
 */
async function* readAhead(ask: (last?: RecordedEvent) => Asked, signal: AbortSignal | undefined): EventBatches {
  let coming: Asked | undefined = ask();
  while (coming !== undefined) {
    const { size }: Asked = coming;
    const batch: RecordedEvent[] = await coming.batch;
    const last = batch.at(-1);
    if (last === undefined || signal?.aborted === true) return;
    coming = batch.length < size ? undefined : ask(last);
    if (coming !== undefined) {
      coming.batch.catch(() => undefined);
      await setImmediate();
    }
    yield batch;
  }
}

/** @throws StoreUnavailable where the database did not answer, else the error itself */
function notRead(error: unknown): never {
  if (!isTransient(error)) throw error;
  throw new StoreUnavailable(`the event store was not read: ${messageOf(error)}`, { cause: error });
}

interface ReadAfter {
  readonly events: readonly RecordedEvent[];
  /** Everything up to there has been read. */
  readonly through: bigint;
  /** The batch was full. */
  readonly hasMore: boolean;
  /** No append under way holds back what came after it. */
  readonly isSettled: boolean;
}

/** What a connection of the pool is made from, without what concerns the pool itself. */
function connectionSettings(pool: Pool): ClientConfig {
  const { connectionString, host, port, user, password, database, ssl } = pool.options;
  const given = { connectionString, host, port, user, password, database, ssl };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
