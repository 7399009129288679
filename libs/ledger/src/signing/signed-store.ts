import { setTimeout as pause } from 'node:timers/promises';
import { LEDGER_STREAM } from '@app/domain';
import {
  type AppendResult,
  type EventBatches,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadAllOptions,
  type ReadOptions,
  type RecordedEvent,
  StoreUnavailable,
  type SubscribeOptions,
} from '@app/event-store';
import { hashOf } from '../envelope.js';
import {
  EMPTY_HEAD,
  eventAt,
  type JournalHead,
  type LinkedOptions,
  linksOf,
  rangeBegun,
  type StoredJournal,
  StoreJournal,
} from '../journal-reader.js';
import { ForgedEvent, RangeReader, type ReadEvent, UNSIGNED } from './range-reader.js';
import { type JournalTrust, signingAfter } from './trust.js';

export interface SignedStoreOptions {
  readonly trust: JournalTrust;
  /** Told of the place that nothing is told of from there on, and why, once for each. */
  readonly onForged?: ((reason: ForgedEvent) => void) | undefined;
}

/** How soon it is looked whether what nobody signed is gone. */
const LOOK_AGAIN_MS = 5_000;

/**
 * A store as readers of all streams should see it: the ledger's events as far as they are in whole signed ranges, each range at
 * once. Where the ledger goes on with what nobody signed, nothing is told from there on, of other streams neither: what a
 * reader had passed over it would never see again, once something of ours has taken its place. Whoever reads one stream, or
 * asks for a number of events, has it as it is stored; `linked` gives the ledger's stream as far as it is signed.
 */
export class SignedStore implements EventStore, StoredJournal {
  private told: string | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly options: SignedStoreOptions,
    private readonly lookAgainMs = LOOK_AGAIN_MS,
  ) {}

  get maxAppendBytes(): number {
    return this.store.maxAppendBytes;
  }

  get foreignEvents(): number {
    return this.store.foreignEvents ?? 0;
  }

  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    return this.store.append(stream, events, expected);
  }

  readStream(stream: string, options?: ReadOptions): EventBatches {
    return this.store.readStream(stream, options);
  }

  /** By the signatures of those whom we trust, wherever it begins. */
  linked(from: JournalHead, options: LinkedOptions = {}): AsyncIterable<readonly ReadEvent[]> {
    const { trust } = this.options;
    return new StoreJournal(this.store, { trust }).linked(from, {
      ...options,
      signing: signingAfter(trust, from.revision),
    });
  }

  /** @throws ForgedEvent the ledger goes on with what nobody signed; all before it was told */
  readAll(options: ReadAllOptions = {}): EventBatches {
    const isWhole = options.direction !== 'backwards' && options.limit === undefined;
    return isWhole && hasLedger(options) ? this.signed(this.store.readAll(options)) : this.store.readAll(options);
  }

  subscribeAll(options: SubscribeOptions): EventBatches {
    return hasLedger(options) ? this.followed(options) : this.store.subscribeAll(options);
  }

  head(stream: string): Promise<RecordedEvent | undefined> {
    return this.store.head(stream);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private async *signed(batches: EventBatches): AsyncGenerator<readonly RecordedEvent[]> {
    const filter = new SignedEvents(this.store, this.options.trust);
    for await (const batch of batches) {
      const events = await filter.pass(batch);
      if (events.length > 0) yield events;
      if (filter.failure) throw filter.failure;
    }
  }

  private async *followed(options: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    const { signal } = options;
    let { after } = options;
    while (!signal.aborted) {
      const from = after === undefined ? {} : { after };
      try {
        for await (const batch of this.signed(this.store.subscribeAll({ ...options, ...from }))) {
          yield batch;
          after = batch.at(-1)?.position ?? after;
          this.told = undefined;
        }
      } catch (error) {
        if (!(error instanceof ForgedEvent)) throw error;
        if (this.told !== error.message) this.options.onForged?.(error);
        this.told = error.message;
        await pause(this.lookAgainMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}

/** The ledger's stream of a store, by the signatures that the store was told to trust. */
export const journalIn = (store: EventStore): StoredJournal =>
  store instanceof SignedStore ? store : new StoreJournal(store);

const hasLedger = ({ streamPrefixes }: { readonly streamPrefixes?: readonly string[] }): boolean =>
  streamPrefixes?.some((prefix) => LEDGER_STREAM.startsWith(prefix)) ?? true;

/** What of a journal may be told, in its order. An append is written whole, so that a range has nothing of others in it. */
class SignedEvents {
  /** Why nothing more may be told. */
  failure: ForgedEvent | undefined;
  private reader: RangeReader | undefined;
  /** The last event of the ledger that was told or is held back. */
  private head: JournalHead | undefined;
  private held: RecordedEvent[] = [];

  constructor(
    private readonly store: EventStore,
    private readonly trust: JournalTrust,
  ) {}

  async pass(batch: readonly RecordedEvent[]): Promise<RecordedEvent[]> {
    const passed: RecordedEvent[] = [];
    for (const run of runsOf(batch)) {
      if (run[0]?.stream === LEDGER_STREAM) {
        passed.push(...(await this.ledger(run)));
      } else {
        const [unfinished] = this.held;
        if (unfinished) this.failure = ForgedEvent.at(unfinished.revision, UNSIGNED);
        else passed.push(...run);
      }
      if (this.failure) return passed;
    }
    return passed;
  }

  /** Before anything is signed, only that revisions follow: whoever may insert can give any. */
  private async ledger(run: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    const begins = this.trust[0]?.from ?? Infinity;
    const first = run[0]?.revision ?? 0;
    this.head ??= await this.headAt(first - 1);
    if (this.failure) return [];
    const unsigned: RecordedEvent[] = [];
    for (const event of run) {
      if (event.revision >= begins || event.revision !== this.head.revision + 1) break;
      unsigned.push(event);
      this.head = { revision: event.revision, hash: this.hashOf(event) };
      if (this.failure) return unsigned.slice(0, -1);
    }
    const rest = run.slice(unsigned.length);
    return rest.length === 0 ? unsigned : [...unsigned, ...(await this.whole(rest, this.head))];
  }

  private async whole(run: readonly RecordedEvent[], head: JournalHead): Promise<readonly RecordedEvent[]> {
    const [unfinished] = this.held;
    const first = run[0]?.revision ?? 0;
    if (first !== head.revision + 1) {
      this.failure = ForgedEvent.at(unfinished?.revision ?? first, unfinished ? UNSIGNED : `follows ${head.revision}`);
      return [];
    }
    this.reader ??= await this.readerAt(head);
    const linked = linksOf(run, head, this.reader);
    this.head = linked.at(-1) ?? head;
    const safe = this.reader.take(linked).at(-1);
    const waiting = [...this.held, ...run];
    const count = safe ? waiting.findIndex(({ revision }) => revision === safe.revision) + 1 : 0;
    this.held = waiting.slice(count);
    try {
      this.reader.throwIfForged();
    } catch (error) {
      if (!(error instanceof ForgedEvent)) throw error;
      this.failure = error;
    }
    return waiting.slice(0, count);
  }

  /** @throws StoreUnavailable the event is not there: a node that does not lead may be behind */
  private async headAt(revision: number): Promise<JournalHead> {
    if (revision < 0) return EMPTY_HEAD;
    const event = await eventAt(this.store, revision);
    if (!event) throw new StoreUnavailable(`the store has no revision ${revision} of the ledger yet`);
    return { revision, hash: this.hashOf(event) };
  }

  private hashOf({ revision, metadata }: RecordedEvent): string {
    try {
      return hashOf(metadata);
    } catch {
      this.failure ??= ForgedEvent.at(revision, 'carries no hash');
      return '';
    }
  }

  private async readerAt({ revision }: JournalHead): Promise<RangeReader> {
    const { trust } = this;
    const signing = signingAfter(trust, revision);
    const begun = revision < 0 ? [] : await rangeBegun(this.store, await eventAt(this.store, revision), signing);
    return new RangeReader({ signing, trust, begun });
  }
}

/** Neighbours that are all of the ledger, or none of them. */
function runsOf(batch: readonly RecordedEvent[]): RecordedEvent[][] {
  const runs: RecordedEvent[][] = [];
  for (const event of batch) {
    const run = runs.at(-1);
    const isSame = (run?.[0]?.stream === LEDGER_STREAM) === (event.stream === LEDGER_STREAM);
    if (run && isSame) run.push(event);
    else runs.push([event]);
  }
  return runs;
}
