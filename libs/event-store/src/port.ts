/**
 * The port to the event store. Three adapters implement it (`postgres`, `eventstoredb`, `memory`), and one contract
 * suite checks them against this text.
 */
export interface NewEvent {
  /** A UUID that identifies the bytes: stores compare ids alone when an append is repeated. */
  readonly id: string;
  readonly type: string;
  /** JSON text, kept byte for byte as given. It has no raw line break: `JSON.stringify` makes none. */
  readonly data: string;
  /** JSON text, kept as given; not part of the hash chain. */
  readonly metadata: string;
}

export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  /** Place in its stream, from 0, without gaps. */
  readonly revision: number;
  /** Place in the order of all events: strictly rising, with gaps, comparable only within one store. */
  readonly position: bigint;
  /**
   * Written by another program into a stream of a shared store: it has its place, and means nothing to us. Only those who read
   * one stream by its name meet such events.
   */
  readonly isForeign?: true;
}

/** How metadata of the second version begins: an object that has this field first, printed without blanks. */
export const METADATA_MARK = '{"nova":2,';

/** What must be the stream's last revision: a number, `none` (no such stream yet) or `any`. */
export type ExpectedRevision = number | 'none' | 'any';

export interface AppendResult {
  /** Revision of the last event of this append. */
  readonly revision: number;
}

export interface ReadOptions {
  /** First revision to return; by default the start, or the end when reading backwards. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  /** The most events in all. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface ReadAllOptions {
  /** Return what comes after this position (before it, when reading backwards). */
  readonly after?: bigint;
  /**
   * When reading forwards: end with this position, and not before it. It is the place of an event that this journal's readers
   * have been given in this order, a checkpoint for instance.
   */
  readonly upTo?: bigint;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
  /** Only streams whose name begins with one of these. */
  readonly streamPrefixes?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface SubscribeOptions {
  /** Begin after this position; by default at the first event. */
  readonly after?: bigint;
  readonly streamPrefixes?: readonly string[];
  /** Ends the subscription: the iteration then finishes without an error. */
  readonly signal: AbortSignal;
}

/** Batches, never empty, of at most `READ_BATCH_MAX` events, in order. */
export type EventBatches = AsyncIterable<readonly RecordedEvent[]>;

export const READ_BATCH_MAX = 5_000;

export interface EventStore {
  /**
   * Appends all events or none, durably, before it resolves. Repeating an append (same ids, same expected revision)
   * succeeds and writes nothing. With `any`, a repeat is recognised among the stream's newest 1,000 events.
   * @throws WrongExpectedRevision the stream is elsewhere; nothing was written
   * @throws StoreUnavailable nothing was written
   * @throws AppendOutcomeUnknown the events may or may not be durable: repeat the identical append to find out
   * @throws AppendTooLarge over `maxAppendBytes`; nothing was written
   * @throws TypeError a bug of the caller: no events, a malformed id or name, a raw line break, a name or type with $ first
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult>;

  /** A stream that does not exist yields nothing. Foreign events in it are among the others: its revisions have no gaps. */
  readStream(stream: string, options?: ReadOptions): EventBatches;

  /**
   * Every event of ours of every stream in the order of their positions; an event that commits late is never passed over.
   * @throws StoreUnavailable it was not read to its end, or to `upTo`, and may be later
   */
  readAll(options?: ReadAllOptions): EventBatches;

  /**
   * All our events after a position, then new ones, until `signal` aborts. It reconnects by itself and resumes after
   * the last batch that the consumer took. A slow consumer holds it back.
   */
  subscribeAll(options: SubscribeOptions): EventBatches;

  /** The last event of a stream, from the store's newest state, or undefined. */
  head(stream: string): Promise<RecordedEvent | undefined>;

  /** The most bytes (data, metadata, type) that one append may carry; less once a server has refused as much. */
  readonly maxAppendBytes: number;

  /** Foreign events that subscriptions were sent and passed over; absent where nobody else can write. */
  readonly foreignEvents?: number;

  /** Places of the first 1,000 unsigned events met so far; absent if signatures are not checked. */
  readonly unsigned?: readonly string[];

  close(): Promise<void>;
}

export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** The stream's last revision, or undefined when it has none or the store does not tell. */
    readonly actual: number | undefined,
  ) {
    super(`stream ${stream} is at ${actual ?? 'no revision'}, expected ${expected}`);
  }
}

export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The store answers, but its address or a user's rights need correction. The message says what. */
export class StoreRefused extends StoreUnavailable {}

/** The owner of the schema must update it. The message names the owner and what is missing. */
export class StoreOutdated extends StoreUnavailable {}

export class AppendOutcomeUnknown extends Error {
  override readonly name = 'AppendOutcomeUnknown';
}

export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}
