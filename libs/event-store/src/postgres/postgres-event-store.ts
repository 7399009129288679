import { type ClientConfig, escapeLiteral, type Pool, type QueryConfig } from 'pg';
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
  StoreOutdated,
  StoreUnavailable,
  type SubscribeOptions,
} from '../port.js';
import { pause, type Wakeups } from '../wakeups.js';
import { APPEND_BYTES_MAX, APPEND_MS_MAX } from './append-statement.js';
import { AppendListener } from './append-listener.js';
import { ChannelListener } from './channel-listener.js';
import { type CopiedRange, copyEvents } from './copied-events.js';
import { COLUMNS, EVENTS_OF_STREAM, type EventRow, inStream, recordedEvent } from './event-rows.js';
import { GroupAppender } from './group-appender.js';
import { groupedReads } from './grouped-reads.js';
import { migrateJournal } from './migrate.js';
import { openPool } from './open-pool.js';
import { isTransient, messageOf } from './postgres-errors.js';
import { readAhead } from './read-ahead.js';

export type PostgresEventStoreOptions = ({ readonly connectionString: string } | { readonly pool: Pool }) & {
  /** After so long an append is given up (10 s). */
  readonly appendTimeoutMs?: number;
  /** Hears of appends, in the same database; whoever gives it closes it. When absent, the store has its own. */
  readonly listener?: ChannelListener | undefined;
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

/**
 * Keeps events in the schema `journal` of a Postgres database, data and metadata as the text that was given.
 *
 * Appends of concurrent callers share transactions, each one round trip; an answer means that the commit is on disk.
 * Positions follow the order of transaction ids. Reading in the order of positions stops before the first append that is
 * still under way anywhere, so an event that commits late is never passed over: a stuck append delays readers and does not
 * confuse them. Other transactions of the cluster, however long, delay nobody.
 */
export class PostgresEventStore implements EventStore {
  readonly maxAppendBytes = APPEND_BYTES_MAX;
  readonly #pool: Pool;
  readonly #ownsPool: boolean;
  readonly #appender: GroupAppender;
  readonly #listener: AppendListener;
  readonly #ownListener: ChannelListener | undefined;
  readonly #closing = new AbortController();
  readonly #readShort = groupedReads((query) => this.#query(query));

  private constructor(options: PostgresEventStoreOptions) {
    this.#ownsPool = !('pool' in options);
    this.#pool =
      'pool' in options
        ? options.pool
        : openPool({
            connectionString: options.connectionString,
            max: READ_CONNECTIONS,
            application_name: 'event-store read',
            keepAlive: true,
            connectionTimeoutMillis: READ_MS_MAX,
          });
    const settings = connectionSettings(this.#pool);
    this.#appender = new GroupAppender(settings, { timeoutMs: options.appendTimeoutMs ?? APPEND_MS_MAX });
    const listener = options.listener ?? new ChannelListener({ ...settings, application_name: 'event-store listen' });
    if (!options.listener) this.#ownListener = listener;
    this.#listener = new AppendListener(listener);
  }

  /**
   * Connects, brings the schema `journal` up to date where it is this role's and makes sure that new positions will be above all
   * present ones (a restored database may sit in a cluster with smaller transaction ids).
   * @throws StoreUnavailable the database cannot be reached
   * @throws StoreOutdated the schema is another role's, and not up to date: `prepareJournal`
   */
  static async open(options: PostgresEventStoreOptions): Promise<PostgresEventStore> {
    const store = new PostgresEventStore(options);
    try {
      await migrateJournal(store.#pool);
    } catch (error) {
      await store.close();
      if (error instanceof StoreOutdated || !isTransient(error)) throw error;
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
    const { from = isBackwards ? 2_147_483_647 : 0 } = options;
    yield* readAhead(
      (size, last) =>
        isBackwards
          ? this.#readBackwards(stream, last ? last.revision - 1 : from, size)
          : this.#readForwards(stream, last ? last.revision + 1 : from, size),
      { ...options, first: FIRST_READ, most: READ_BATCH_MAX },
    );
  }

  async *readAll(options: ReadAllOptions = {}): EventBatches {
    const { after, upTo, streamPrefixes: prefixes } = options;
    const extent = { ...options, first: ALL_BATCH, most: ALL_BATCH };
    if (options.direction === 'backwards') {
      const horizon = await this.#horizon();
      const start = after !== undefined && after < horizon ? after : horizon;
      yield* readAhead((size, last) => this.#readBefore(last?.position ?? start, size, prefixes), extent);
      return;
    }
    // The horizon can go back: an append that has its locks and shows no id yet may be as old as the oldest transaction of the
    // cluster. What a reader was given was below the horizon once, and there nothing new appears ever after: so much is read
    // wherever the horizon stands now.
    const before = upTo === undefined ? await this.#horizon() : upTo + 1n;
    const read = (size: number, last: RecordedEvent | undefined): Promise<RecordedEvent[]> =>
      this.#readBetween({ after: last?.position ?? after ?? -1n, before, size, prefixes });
    yield* readAhead(read, extent);
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
    const text = `${EVENTS_OF_STREAM} order by e.revision desc limit 1`;
    const [newest] = await this.#read(text, [stream]);
    return newest;
  }

  /** Finishes the appends that wait, ends the subscriptions and the store's own connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#listener.close();
    await Promise.all([this.#appender.close(), this.#ownListener?.close()]);
    if (this.#ownsPool && !this.#pool.ended) await this.#pool.end();
  }

  async #horizon(): Promise<bigint> {
    const [row] = await this.#query<[string]>({ text: 'select h.position from journal.horizon() h' });
    if (!row) throw new StoreUnavailable('journal.horizon() gave no answer');
    return BigInt(row[0]);
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

  #readBefore(position: bigint, size: number, prefixes: readonly string[] | undefined): Promise<RecordedEvent[]> {
    const filter = prefixes === undefined ? '' : ` and ${ofPrefix('$3::text[]')}`;
    const text = `select ${COLUMNS} from journal.events e where e.position < $1${filter} order by e.position desc limit $2`;
    const values = [position.toString(), size];
    return this.#read(text, prefixes === undefined ? values : [...values, prefixes]);
  }

  #readBetween({ after, before, size, prefixes }: Between): Promise<RecordedEvent[]> {
    const listed = prefixes?.map((prefix) => escapeLiteral(prefix)).join(', ');
    const filter = listed === undefined ? '' : ` and ${ofPrefix(`array[${listed}]::text[]`)}`;
    const where = `e.position > ${after} and e.position < ${before}${filter}`;
    return this.#copy({ where, order: 'e.position', size });
  }

  #readBackwards(stream: string, from: number, size: number): Promise<RecordedEvent[]> {
    const text = `${EVENTS_OF_STREAM} and e.revision <= $2::bigint order by e.revision desc limit $3`;
    return this.#read(text, [stream, from, size]);
  }

  async #readForwards(stream: string, from: number, size: number): Promise<RecordedEvent[]> {
    if (size <= FIRST_READ) return this.#readShort({ stream, from, size });
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

/** @throws StoreUnavailable where the database did not answer, else the error itself */
function notRead(error: unknown): never {
  if (!isTransient(error)) throw error;
  throw new StoreUnavailable(`the event store was not read: ${messageOf(error)}`, { cause: error });
}

/** Neither position is included. */
interface Between {
  readonly after: bigint;
  readonly before: bigint;
  readonly size: number;
  readonly prefixes: readonly string[] | undefined;
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
