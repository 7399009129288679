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
  WrongExpectedRevision,
} from '../port.js';
import { hasPrefix } from '../stream-prefixes.js';
import { Wakeups } from '../wakeups.js';

/** A subscription polls at this interval even if nothing woke it. */
const IDLE_MS = 60_000;

/**
 * The event store of tests and simulations: the whole contract, kept in memory. An append takes effect synchronously,
 * within the call, and is answered later.
 */
export class MemoryEventStore implements EventStore {
  readonly maxAppendBytes: number;
  readonly #all: RecordedEvent[] = [];
  readonly #streams = new Map<string, RecordedEvent[]>();
  readonly #wakeups = new Wakeups();
  readonly #closing = new AbortController();

  constructor({ maxAppendBytes = 900_000 }: { readonly maxAppendBytes?: number } = {}) {
    this.maxAppendBytes = maxAppendBytes;
  }

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    if (this.#closing.signal.aborted) throw new StoreUnavailable('the event store is closed');
    checkAppend({ stream, events, expected }, this.maxAppendBytes);
    const recorded = this.#streams.get(stream) ?? [];
    const repeated = revisionOfRepeat(recorded, events, expected);
    if (repeated !== undefined) return { revision: repeated };

    const head = recorded.length - 1;
    if (expected !== 'any' && (expected === 'none' ? -1 : expected) !== head) {
      throw new WrongExpectedRevision(stream, expected, head < 0 ? undefined : head);
    }
    for (const { id, type, data, metadata } of events) {
      const position = BigInt(this.#all.length);
      const event = { id, type, data, metadata, stream, revision: recorded.length, position };
      recorded.push(event);
      this.#all.push(event);
    }
    this.#streams.set(stream, recorded);
    this.#wakeups.wake();
    return { revision: recorded.length - 1 };
  }

  async *readStream(stream: string, options: ReadOptions = {}): EventBatches {
    const recorded = this.#streams.get(stream) ?? [];
    if (options.direction === 'backwards') {
      const from = Math.min(options.from ?? Infinity, recorded.length - 1);
      yield* inBatches(recorded.slice(0, from + 1).toReversed(), options);
    } else {
      yield* inBatches(recorded.slice(options.from ?? 0), options);
    }
  }

  async *readAll(options: ReadAllOptions = {}): EventBatches {
    const selected = this.#all.filter((event) => hasPrefix(event.stream, options.streamPrefixes));
    const { after, upTo } = options;
    if (options.direction === 'backwards') {
      const before = after === undefined ? selected : selected.filter((event) => event.position < after);
      yield* inBatches(before.toReversed(), options);
    } else {
      const rest = after === undefined ? selected : selected.filter((event) => event.position > after);
      yield* inBatches(upTo === undefined ? rest : rest.filter((event) => event.position <= upTo), options);
    }
  }

  async *subscribeAll(options: SubscribeOptions): EventBatches {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    // Here a position is an index of `#all`.
    let next = options.after === undefined ? 0 : Number(options.after) + 1;
    while (!signal.aborted) {
      const seen = this.#wakeups.generation;
      const scanned = this.#all.slice(next, next + READ_BATCH_MAX);
      next += scanned.length;
      const batch = scanned.filter((event) => hasPrefix(event.stream, options.streamPrefixes));
      if (batch.length > 0) yield batch;
      else if (scanned.length === 0) await this.#wakeups.wait(seen, IDLE_MS, signal);
    }
  }

  async head(stream: string): Promise<RecordedEvent | undefined> {
    return this.#streams.get(stream)?.at(-1);
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }
}

/** The last revision of these very events, if the stream holds them where the append would have put them. */
function revisionOfRepeat(
  recorded: readonly RecordedEvent[],
  events: readonly NewEvent[],
  expected: ExpectedRevision,
): number | undefined {
  const first =
    expected === 'any' ? recorded.findLastIndex((event) => event.id === events[0]?.id) : firstRevision(expected);
  if (first < 0) return undefined;
  const same = events.every((event, index) => {
    const kept = recorded[first + index];
    return (
      kept !== undefined &&
      kept.id === event.id &&
      kept.type === event.type &&
      kept.data === event.data &&
      kept.metadata === event.metadata
    );
  });
  return same ? first + events.length - 1 : undefined;
}

function firstRevision(expected: number | 'none'): number {
  return expected === 'none' ? 0 : expected + 1;
}

async function* inBatches(
  events: readonly RecordedEvent[],
  { limit = Infinity, signal }: { readonly limit?: number; readonly signal?: AbortSignal },
): EventBatches {
  const end = Math.min(limit, events.length);
  for (let start = 0; start < end; start += READ_BATCH_MAX) {
    if (signal?.aborted === true) return;
    yield events.slice(start, Math.min(start + READ_BATCH_MAX, end));
  }
}
