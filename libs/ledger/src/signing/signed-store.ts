import { LEDGER_STREAM } from '@app/domain';
import type {
  AppendResult,
  EventBatches,
  EventStore,
  ExpectedRevision,
  NewEvent,
  ReadAllOptions,
  ReadOptions,
  RecordedEvent,
  SubscribeOptions,
} from '@app/event-store';
import { hashOf } from '../envelope.js';
import { EMPTY_HEAD, eventAt, type JournalHead, linksOf, rangeBegun } from '../journal-reader.js';
import { ForgedEvent, RangeReader, UNSIGNED } from './range-reader.js';
import { type JournalTrust, signingAt } from './trust.js';

export interface SignedStoreOptions {
  readonly trust: JournalTrust;
  /** Told of each place from which on the ledger's events are passed over, and why. */
  readonly onForged?: ((reason: ForgedEvent) => void) | undefined;
}

/**
 * A store as readers of all streams should see it: of the ledger's events those that are in whole signed ranges, each range at
 * once. What nobody signed is passed over. Whoever reads one stream, or asks for a number of events, has it as it is stored.
 */
export class SignedStore implements EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly options: SignedStoreOptions,
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

  readAll(options: ReadAllOptions = {}): EventBatches {
    const events = this.store.readAll(options);
    const isWhole = options.direction !== 'backwards' && options.limit === undefined;
    return isWhole && hasLedger(options) ? this.signed(events) : events;
  }

  subscribeAll(options: SubscribeOptions): EventBatches {
    const events = this.store.subscribeAll(options);
    return hasLedger(options) ? this.signed(events) : events;
  }

  head(stream: string): Promise<RecordedEvent | undefined> {
    return this.store.head(stream);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private async *signed(batches: EventBatches): AsyncGenerator<readonly RecordedEvent[]> {
    const filter = new SignedEvents(this.store, this.options);
    for await (const batch of batches) {
      const events = await filter.pass(batch);
      if (events.length > 0) yield events;
    }
  }
}

const hasLedger = ({ streamPrefixes }: { readonly streamPrefixes?: readonly string[] }): boolean =>
  streamPrefixes?.some((prefix) => LEDGER_STREAM.startsWith(prefix)) ?? true;

/** What of a journal may be told, in its order. An append is written whole, so that a range has nothing of others in it. */
class SignedEvents {
  private reader: RangeReader | undefined;
  /** The last event of the ledger that was told or is held back. */
  private head: JournalHead | undefined;
  /** The last that was told. */
  private told: JournalHead = EMPTY_HEAD;
  private held: RecordedEvent[] = [];

  constructor(
    private readonly store: EventStore,
    private readonly options: SignedStoreOptions,
  ) {}

  async pass(batch: readonly RecordedEvent[]): Promise<RecordedEvent[]> {
    const passed: RecordedEvent[] = [];
    for (const run of runsOf(batch)) {
      if (run[0]?.stream === LEDGER_STREAM) {
        passed.push(...(await this.ledger(run)));
        continue;
      }
      const [unfinished] = this.held;
      if (unfinished) this.passOver(ForgedEvent.at(unfinished.revision, UNSIGNED));
      passed.push(...run);
    }
    return passed;
  }

  private async ledger(run: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    const [{ from: begins } = { from: Infinity }] = this.options.trust;
    const unsigned = run.filter(({ revision }) => revision < begins);
    const last = unsigned.at(-1);
    if (last) this.head = this.told = { revision: last.revision, hash: hashOf(last.metadata) };
    const signed = run.slice(unsigned.length);
    if (signed.length === 0) return unsigned;
    return [...unsigned, ...(await this.whole(signed))];
  }

  private async whole(run: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    const first = run[0]?.revision ?? 0;
    this.head ??= await this.headAt(first - 1);
    const [unfinished] = this.held;
    if (unfinished && first !== this.head.revision + 1) this.passOver(ForgedEvent.at(unfinished.revision, UNSIGNED));
    // Behind what was passed over only what takes its place can go on.
    if (first !== this.head.revision + 1) return [];
    this.reader ??= await this.readerAt(this.head);
    const linked = linksOf(run, this.head, this.reader);
    this.head = linked.at(-1) ?? this.head;
    const safe = this.reader.take(linked).at(-1);
    const waiting = [...this.held, ...run];
    const count = safe ? waiting.findIndex(({ revision }) => revision === safe.revision) + 1 : 0;
    if (safe) this.told = { revision: safe.revision, hash: safe.hash };
    this.held = waiting.slice(count);
    try {
      this.reader.throwIfForged();
    } catch (error) {
      if (!(error instanceof ForgedEvent)) throw error;
      this.passOver(error);
    }
    return waiting.slice(0, count);
  }

  private passOver(reason: ForgedEvent): void {
    this.options.onForged?.(reason);
    this.held = [];
    this.head = this.told;
    this.reader = undefined;
  }

  private async headAt(revision: number): Promise<JournalHead> {
    if (revision < 0) return EMPTY_HEAD;
    const event = await eventAt(this.store, revision);
    this.told = event ? { revision, hash: hashOf(event.metadata) } : EMPTY_HEAD;
    return this.told;
  }

  private async readerAt({ revision }: JournalHead): Promise<RangeReader> {
    const { trust } = this.options;
    const signing = signingAt(trust, revision);
    const begun = await rangeBegun(this.store, await eventAt(this.store, revision), signing);
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
