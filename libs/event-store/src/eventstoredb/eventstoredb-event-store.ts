import { setTimeout } from 'node:timers/promises';
import {
  type AppendResult as ClientAppendResult,
  BACKWARDS,
  END,
  ErrorType,
  type EventStoreDBClient,
  type Filter,
  FORWARDS,
  MaxAppendSizeExceededError,
  NO_STREAM,
  START,
  type AllStreamResolvedEvent,
  type ReadPosition,
  type ResolvedEvent,
  type StreamingRead,
  streamNameFilter,
} from '@eventstore/db-client';
import { checkAppend } from '../check-append.js';
import {
  AppendOutcomeUnknown,
  type AppendResult,
  AppendTooLarge,
  type EventBatches,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  READ_BATCH_MAX,
  type ReadAllOptions,
  type ReadOptions,
  type RecordedEvent,
  StoreRefused,
  StoreUnavailable,
  type SubscribeOptions,
  WrongExpectedRevision,
} from '../port.js';
import { hasPrefix } from '../stream-prefixes.js';
import { pause } from '../wakeups.js';
import { addressError, tlsTrouble } from './address.js';
import { fromEventStoreDb, toEventStoreDb } from './event-format.js';
import { appendError, isTransient, readError, typeOf } from './eventstoredb-errors.js';
import { acquireClient, releaseClient } from './shared-client.js';
import { arrivals } from './subscription-arrivals.js';
import { TaskQueue } from './task-queue.js';

export interface EventStoreDbOptions {
  /** `esdb://host:port?tls=false`, or a cluster. */
  readonly connectionString: string;
  /** After this time an append's outcome counts as unknown (10 s). */
  readonly appendTimeoutMs?: number;
}

/**
 * The client queues writes when 16 of them wait in its stream, and lets a rejection escape when the connection breaks just
 * then, which ends the process: never give it so many.
 */
const APPENDS_IN_FLIGHT_MAX = 12;
/** A turn ends after this many time-outs, with or without an answer. A dead connection shows within two. */
const TURN_TIMEOUTS_MAX = 3;
const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 2_000;
/** How many changes of leader a read of the newest state follows before it gives up. */
const LEADER_ATTEMPTS_MAX = 3;
/** What a server takes in one append unless its operator says otherwise (`MaxAppendSize`), and the part of it that is used. */
const SERVER_APPEND_BYTES = 1_048_576;
const SHARE_USED = 0.86;
/** With a filter, the server reports its position every this many × 32 events. */
const CHECKPOINT_INTERVAL = 32;

/**
 * Keeps events in EventStoreDB or KurrentDB (`docs/eventstoredb.md`). Positions are commit positions of the server's
 * log. The server compares only ids when an append is repeated. Texts are written so that the same bytes come back
 * (`toEventStoreDb`). Other programs may use the server too: events without our mark are skipped and counted.
 */
export class EventStoreDbEventStore implements EventStore {
  #maxAppendBytes = shareOf(SERVER_APPEND_BYTES);
  readonly #connectionString: string;
  readonly #client: EventStoreDBClient;
  readonly #appendTimeoutMs: number;
  readonly #turns = new TaskQueue(APPENDS_IN_FLIGHT_MAX);
  readonly #closing = new AbortController();
  #foreignEvents = 0;

  private constructor(options: EventStoreDbOptions) {
    this.#connectionString = options.connectionString;
    this.#appendTimeoutMs = options.appendTimeoutMs ?? 10_000;
    this.#client = acquireClient(options.connectionString);
  }

  /**
   * Connects, and reads a little to see that a server answers and lets its user read.
   * @throws StoreUnavailable no server answers
   * @throws StoreRefused the address or the user's rights are to be mended
   */
  static async open(options: EventStoreDbOptions): Promise<EventStoreDbEventStore> {
    const store = EventStoreDbEventStore.#of(options);
    try {
      await store.head('none-such');
      await store.#readFirst();
    } catch (error) {
      await store.close();
      if (!(error instanceof StoreUnavailable) || error instanceof StoreRefused) throw error;
      throw (await tlsTrouble(options.connectionString)) ?? error;
    }
    return store;
  }

  /** A wrong address holds a password, perhaps, and the client's errors hold the address. */
  static #of(options: EventStoreDbOptions): EventStoreDbEventStore {
    try {
      return new EventStoreDbEventStore(options);
    } catch (error) {
      throw addressError(error);
    }
  }

  /** The right to read a stream does not include reading all of them. */
  async #readFirst(): Promise<void> {
    try {
      for await (const _ of this.#client.readAll({ maxCount: 1 }));
    } catch (error) {
      throw readError(error);
    }
  }

  /** Less than the server accepts: the rest is room for its own overhead per event. It may sink, never rise. */
  get maxAppendBytes(): number {
    return this.#maxAppendBytes;
  }

  get foreignEvents(): number {
    return this.#foreignEvents;
  }

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const bytes = checkAppend({ stream, events, expected }, this.#maxAppendBytes);
    const { success, nextExpectedRevision } = await this.#answerOf(stream, events, expected).catch((error: unknown) => {
      if (error instanceof AppendTooLarge) this.#learnLimit(error, bytes);
      throw error;
    });
    // Refusals are thrown, unless the connection string has `throwOnAppendFailure=false`: then the answer tells wrong revisions.
    if (!success) throw new WrongExpectedRevision(stream, expected, undefined);
    // The answer to a repeat does not tell reliably where the events are; the expectation does.
    if (expected === 'any') return { revision: Number(nextExpectedRevision) };
    return { revision: (expected === 'none' ? -1 : expected) + events.length };
  }

  /** Of an append that was refused with so many bytes, by our count. */
  #learnLimit({ cause }: AppendTooLarge, bytes: number): void {
    const told = cause instanceof MaxAppendSizeExceededError && cause.maxAppendSize > 0 ? cause.maxAppendSize : bytes;
    this.#maxAppendBytes = Math.min(this.#maxAppendBytes, shareOf(Math.min(told, bytes)));
  }

  /** Waits for a turn and for the answer. */
  async #answerOf(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<ClientAppendResult> {
    const ms = this.#appendTimeoutMs;
    const progress = { isSent: false, isLate: false };
    const send = (): Promise<ClientAppendResult> => {
      if (progress.isLate || this.#closing.signal.aborted) throw new StoreUnavailable('the append was not sent');
      progress.isSent = true;
      const appended = this.#client.appendToStream(stream, events.map(toEventStoreDb), {
        expectedRevision: expectedRevisionOf(expected),
        deadline: ms,
      });
      // The client holds it until it is answered or the connection breaks: so long it counts, even when given up below.
      return within(TURN_TIMEOUTS_MAX * ms, appended, () => new AppendOutcomeUnknown('the append was never answered'));
    };
    const late = (): Error => {
      progress.isLate = true;
      if (progress.isSent) return new AppendOutcomeUnknown(`no answer in ${ms} ms`);
      return new StoreUnavailable(`no append was answered in ${ms} ms, and this one was not sent`);
    };
    try {
      return await within(
        ms,
        this.#turns.take(async () => send()),
        late,
      );
    } catch (error) {
      if (error instanceof AppendOutcomeUnknown || error instanceof StoreUnavailable) throw error;
      throw appendError(error, { stream, expected });
    }
  }

  async *readStream(stream: string, options: ReadOptions = {}): EventBatches {
    if (options.limit === 0 || options.signal?.aborted === true) return;
    const isBackwards = options.direction === 'backwards';
    let fromRevision: bigint | typeof START | typeof END = isBackwards ? END : START;
    if (options.from !== undefined) {
      // Backwards from beyond the end begins at the end.
      const from = isBackwards ? Math.min(options.from, (await this.head(stream))?.revision ?? -1) : options.from;
      if (from < 0) return;
      fromRevision = BigInt(from);
    }
    const read = this.#client.readStream(stream, {
      direction: isBackwards ? BACKWARDS : FORWARDS,
      fromRevision,
      ...(options.limit === undefined ? {} : { maxCount: options.limit }),
    });
    // The server ends it at the limit.
    yield* inBatches(read, () => true, { signal: options.signal });
  }

  async *readAll(options: ReadAllOptions = {}): EventBatches {
    const isBackwards = options.direction === 'backwards';
    const upTo = isBackwards ? undefined : options.upTo;
    const { signal } = options;
    let { after, limit = Infinity } = options;
    const isOver = ({ position }: RecordedEvent): boolean => {
      after = position;
      return upTo !== undefined && position > upTo;
    };
    for (let retryMs = RETRY_MS_MIN; ; retryMs *= 2) {
      if (limit === 0 || signal?.aborted === true) return;
      const begin = after;
      const read = this.#client.readAll({
        direction: isBackwards ? BACKWARDS : FORWARDS,
        fromPosition: fromPositionOf(begin, isBackwards ? END : START),
      });
      // The server begins with the event at the position when it reads forwards, and before it when backwards.
      const isWanted = (event: RecordedEvent): boolean =>
        event.position !== begin && isOurs(event) && hasPrefix(event.stream, options.streamPrefixes);
      for await (const batch of inBatches(read, isWanted, { ...options, limit, isOver })) {
        limit -= batch.length;
        yield batch;
      }
      if (upTo === undefined || limit === 0 || (after ?? -1n) >= upTo) return;
      // A node that does not lead may be behind.
      if (retryMs > RETRY_MS_MAX) throw new StoreUnavailable(`the event store has not come to ${upTo}`);
      await pause(retryMs, signal ?? this.#closing.signal);
    }
  }

  async *subscribeAll(options: SubscribeOptions): EventBatches {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    let after = options.after;
    let retryMs = RETRY_MS_MIN;
    while (!signal.aborted) {
      const subscription = this.#client.subscribeToAll(
        { fromPosition: fromPositionOf(after, START), filter: filterOf(options.streamPrefixes) },
        { highWaterMark: READ_BATCH_MAX },
      );
      try {
        for await (const arrived of arrivals<AllStreamResolvedEvent>(subscription, { max: READ_BATCH_MAX, signal })) {
          const events = arrived.map(fromEventStoreDb).filter((event) => event !== undefined);
          const batch = events.filter(isOurs);
          this.#foreignEvents += events.length - batch.length;
          retryMs = RETRY_MS_MIN;
          if (batch.length > 0) yield batch;
          after = events.at(-1)?.position ?? after;
        }
      } catch (error) {
        if (!isTransient(error)) throw error;
      } finally {
        // It may never have been connected, or be broken: either way it is over.
        subscription.unsubscribe().catch(() => undefined);
      }
      if (signal.aborted) return;
      await pause(retryMs, signal);
      retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
    }
  }

  async head(stream: string): Promise<RecordedEvent | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        // Only the leader surely knows the newest state.
        const read = this.#client.readStream(stream, {
          direction: BACKWARDS,
          fromRevision: END,
          maxCount: 1,
          requiresLeader: true,
        });
        let newest: RecordedEvent | undefined;
        // Read to its end: a stream that is left early is never released by the client.
        for await (const resolved of read) newest = fromEventStoreDb(resolved);
        return newest;
      } catch (error) {
        const type = typeOf(error);
        if (type === ErrorType.STREAM_NOT_FOUND) return undefined;
        if (type !== ErrorType.NOT_LEADER || attempt >= LEADER_ATTEMPTS_MAX) throw readError(error);
      }
    }
  }

  /** Waits for the appends under way, as long as an answer may take, and ends the subscriptions. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await Promise.race([this.#turns.idle(), setTimeout(this.#appendTimeoutMs, undefined, { ref: false })]);
    await releaseClient(this.#connectionString);
  }
}

/** What the promise comes to, or an error when that takes too long. */
async function within<T>(ms: number, promise: Promise<T>, late: () => Error): Promise<T> {
  const timer = new AbortController();
  const timeout = setTimeout(ms, undefined, { signal: timer.signal }).then(() => Promise.reject(late()));
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    timer.abort();
  }
}

const isOurs = ({ isForeign }: RecordedEvent): boolean => isForeign !== true;

const shareOf = (serverBytes: number): number => Math.floor(serverBytes * SHARE_USED);

function expectedRevisionOf(expected: ExpectedRevision): bigint | typeof NO_STREAM | 'any' {
  if (expected === 'none') return NO_STREAM;
  return expected === 'any' ? 'any' : BigInt(expected);
}

function fromPositionOf(position: bigint | undefined, otherwise: typeof START | typeof END): ReadPosition {
  // Events of one append have positions of their own, and commit and prepare are one and the same.
  return position === undefined || position < 0n ? otherwise : { commit: position, prepare: position };
}

/** Of the system's streams ($…) the server sends nothing. */
function filterOf(prefixes: readonly string[] | undefined): Filter {
  return prefixes === undefined
    ? streamNameFilter({ regex: '^[^$]', checkpointInterval: CHECKPOINT_INTERVAL })
    : streamNameFilter({ prefixes: [...prefixes], checkpointInterval: CHECKPOINT_INTERVAL });
}

interface ReadExtent {
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
  /** Is asked for every event of ours in turn: whether the reading ends before it. */
  readonly isOver?: (event: RecordedEvent) => boolean;
}

/**
 * A read that has come to its end is not called off: many calls that are called off look to a server like an attack, and it
 * closes the connection with everything that is under way on it (HTTP/2's rapid reset).
 */
async function* inBatches(
  read: StreamingRead<ResolvedEvent> | StreamingRead<AllStreamResolvedEvent>,
  isWanted: (event: RecordedEvent) => boolean,
  { limit = Infinity, signal, isOver = () => false }: ReadExtent,
): EventBatches {
  let left = limit;
  let batch: RecordedEvent[] = [];
  let isUnderWay = true;
  try {
    for await (const resolved of read) {
      if (signal?.aborted === true) return;
      const event = fromEventStoreDb(resolved);
      if (event === undefined) continue;
      if (isOver(event)) left = 0;
      else if (isWanted(event)) {
        batch.push(event);
        left -= 1;
      }
      if (left === 0) break;
      if (batch.length === READ_BATCH_MAX) {
        yield batch;
        batch = [];
      }
    }
    isUnderWay = left === 0;
  } catch (error) {
    isUnderWay = false;
    if (typeOf(error) === ErrorType.STREAM_NOT_FOUND) return;
    throw readError(error);
  } finally {
    // A read that is left early would otherwise go on sending.
    if (isUnderWay) read.cancel().catch(() => undefined);
  }
  if (batch.length > 0) yield batch;
}
