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
import { JournalStopped } from '../writer-port.js';
import { APPEND_EVENTS_MAX } from './range.js';
import { ForgedEvent, RangeReader, type ReadEvent, UNSIGNED } from './range-reader.js';
import { type JournalSigner, SigningKeyMissing } from './signer.js';
import { StreamSignatures } from './stream-signatures.js';
import { type JournalTrust, signingAfter } from './trust.js';

export interface SignedStoreOptions {
  readonly trust: JournalTrust;
  /** Called with the reason when reading stops, for good or for now, once for each reason. */
  readonly onStopped?: ((reason: Error) => void) | undefined;
  /** Called once for each unsigned event of another stream. */
  readonly onUnsigned?: ((event: RecordedEvent) => void) | undefined;
  /** The private key of a public one, where it is here; whoever only reads needs none. */
  readonly signerFor?: ((publicKey: string) => JournalSigner | undefined) | undefined;
}

/** Whoever asked for fewer events, and was given what nobody signed, gets the next ones out of so many. */
const PIECE = 500;

/** How often it checks whether the unsigned event is gone. */
const LOOK_AGAIN_MS = 5_000;

/**
 * A store that passes on only what trusted keys signed. Readers of all streams see the ledger's events in whole signed
 * ranges. Where the ledger continues unsigned, they get nothing more, from other streams neither: a skipped event of
 * ours would be lost once it takes that place. Readers of the ledger's stream by name get it as stored; `linked` gives
 * it as far as it is signed. Appends to other streams are signed here and checked on reading; an unsigned event counts
 * as foreign. Readers backwards over all streams, or of a number of events, get the ledger's events as stored.
 */
export class SignedStore implements EventStore, StoredJournal {
  private told: string | undefined;
  private stopped: () => string | undefined = () => undefined;
  private readonly signatures: StreamSignatures;

  constructor(
    private readonly store: EventStore,
    private readonly options: SignedStoreOptions,
    private readonly lookAgainMs = LOOK_AGAIN_MS,
  ) {
    this.signatures = new StreamSignatures(store, options.trust, options.onUnsigned);
  }

  get maxAppendBytes(): number {
    return this.store.maxAppendBytes;
  }

  get foreignEvents(): number {
    return this.store.foreignEvents ?? 0;
  }

  /**
   * Whoever does not follow the ledger any more writes to no other stream: its key may have been changed away, and what it signed
   * would be nobody's.
   * @param stopped says why, while it is so
   */
  writesUnless(stopped: () => string | undefined): void {
    this.stopped = stopped;
  }

  /** Places of the first 1,000 unsigned events of other streams met so far. */
  get unsigned(): readonly string[] {
    return this.signatures.unsigned;
  }

  /** As `readAll`, with those events of other streams that nobody signed: for what vouches for all that is stored. */
  get stored(): Pick<EventStore, 'readAll'> {
    const { store } = this;
    return {
      readAll: (options = {}) =>
        isWhole(options) ? this.signed(store.readAll(options), true) : store.readAll(options),
    };
  }

  /** As this store, with all of the ledger: for what looks at read models, and has the journal's own failures told elsewhere. */
  get withAllOfLedger(): Pick<EventStore, 'readAll' | 'head'> {
    return { readAll: (options = {}) => this.others(options), head: (stream) => this.head(stream) };
  }

  /** @throws SigningKeyMissing @throws JournalStopped where `writesUnless` says so: no repetition helps */
  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const signing = stream === LEDGER_STREAM ? undefined : await this.signatures.now();
    if (!signing) return this.store.append(stream, events, expected);
    const reason = this.stopped();
    if (reason !== undefined) throw new JournalStopped(reason);
    if (expected === 'any') throw new TypeError('an append that is signed says which revision it follows');
    if (events.length > APPEND_EVENTS_MAX)
      throw new TypeError(`${events.length} events are too many to be signed at once`);
    const signer = this.options.signerFor?.(signing.publicKey);
    if (!signer) throw new SigningKeyMissing(signing);
    const first = expected === 'none' ? 0 : expected + 1;
    const sealed = signer.sealAppend(signing.journal, { stream, first, events });
    this.signatures.know(sealed.sig, sealed.text);
    return this.store.append(stream, sealed.events, expected);
  }

  readStream(stream: string, options: ReadOptions = {}): EventBatches {
    const batches = this.store.readStream(stream, options);
    return stream === LEDGER_STREAM ? batches : this.ofStream(batches, options.direction === 'backwards');
  }

  /** Checked by trusted signatures, from any start. */
  linked(from: JournalHead, options: LinkedOptions = {}): AsyncIterable<readonly ReadEvent[]> {
    const { trust } = this.options;
    return new StoreJournal(this.store, { trust }).linked(from, {
      ...options,
      signing: signingAfter(trust, from.revision),
    });
  }

  /** @throws ForgedEvent the ledger goes on with what nobody signed; all before it was told @throws StoreUnavailable */
  readAll(options: ReadAllOptions = {}): EventBatches {
    return isWhole(options) ? this.signed(this.store.readAll(options)) : this.others(options);
  }

  subscribeAll(options: SubscribeOptions): EventBatches {
    return this.followed(options);
  }

  /** The last event of ours in a stream other than the ledger's. */
  async head(stream: string): Promise<RecordedEvent | undefined> {
    const head = await this.store.head(stream);
    if (!head || stream === LEDGER_STREAM) return head;
    const [checked] = await this.signatures.checked([head], true);
    if (!checked?.isForeign) return checked;
    for await (const batch of this.readStream(stream, { direction: 'backwards' })) {
      const last = batch.find(({ isForeign }) => !isForeign);
      if (last) return last;
    }
    return undefined;
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private async *ofStream(batches: EventBatches, isBackwards: boolean): AsyncGenerator<readonly RecordedEvent[]> {
    for await (const batch of batches) {
      if (isBackwards) yield (await this.signatures.checked(batch.toReversed(), true)).toReversed();
      else yield await this.signatures.checked(batch, true);
    }
  }

  /** Returns the requested number, even if unsigned events lie between. */
  private async *others(options: ReadAllOptions): AsyncGenerator<readonly RecordedEvent[]> {
    const { limit = Infinity, direction } = options;
    let { after } = options;
    for (let left = limit, size = limit, isEnd = false; left > 0 && !isEnd; size = Math.max(left, PIECE)) {
      isEnd = true;
      const rest = { ...options, ...(after !== undefined && { after }), ...(size < Infinity && { limit: size }) };
      for await (const batch of this.store.readAll(rest)) {
        const inOrder = direction === 'backwards' ? batch.toReversed() : batch;
        const ours: RecordedEvent[] = [];
        for (const run of runsOf(inOrder)) ours.push(...(await this.signatures.ours(run)));
        const wanted = (direction === 'backwards' ? ours.toReversed() : ours).slice(0, left);
        after = batch.at(-1)?.position ?? after;
        left -= wanted.length;
        isEnd = left === Infinity;
        if (wanted.length > 0) yield wanted;
        if (left === 0) return;
      }
    }
  }

  private async *signed(batches: EventBatches, keepsAll = false): AsyncGenerator<readonly RecordedEvent[]> {
    const filter = new SignedEvents(this.store, this.options.trust, keepsAll ? undefined : this.signatures);
    for await (const batch of batches) {
      const events = await filter.pass(batch);
      if (events.length > 0) yield events;
      if (filter.failure) throw filter.failure;
    }
  }

  /** Like stores, it continues by itself after the store was away. */
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
        if (!(error instanceof ForgedEvent) && !(error instanceof StoreUnavailable)) throw error;
        this.tell(error);
        await pause(this.lookAgainMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private tell(error: Error): void {
    if (this.told !== error.message) this.options.onStopped?.(error);
    this.told = error.message;
  }
}

/** All events of streams other than the ledger's, unsigned ones included. */
export const storedIn = (store: EventStore): Pick<EventStore, 'readAll'> =>
  store instanceof SignedStore ? store.stored : store;

const isWhole = ({ direction, limit }: ReadAllOptions): boolean => direction !== 'backwards' && limit === undefined;

/** The ledger's stream of a store, by the signatures that the store was told to trust. */
export const journalIn = (store: EventStore): StoredJournal =>
  store instanceof SignedStore ? store : new StoreJournal(store);

/** What of a journal may be told, in its order. An append is written whole, so that a range has nothing of others in it. */
class SignedEvents {
  /** Why reading stopped. */
  failure: ForgedEvent | undefined;
  private reader: RangeReader | undefined;
  /** The last event of the ledger that was told or is held back. */
  private head: JournalHead | undefined;
  private held: RecordedEvent[] = [];

  constructor(
    private readonly store: EventStore,
    private readonly trust: JournalTrust,
    /** Who tells which events of other streams are ours; all of them are told without. */
    private readonly signatures: StreamSignatures | undefined,
  ) {}

  async pass(batch: readonly RecordedEvent[]): Promise<RecordedEvent[]> {
    const passed: RecordedEvent[] = [];
    for (const run of runsOf(batch)) {
      if (run[0]?.stream === LEDGER_STREAM) {
        passed.push(...(await this.ledger(run)));
      } else {
        const [unfinished] = this.held;
        if (unfinished) this.failure = ForgedEvent.at(unfinished.revision, UNSIGNED);
        else passed.push(...((await this.signatures?.ours(run)) ?? run));
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

/** Neighbours of one stream, without a gap. */
function runsOf(batch: readonly RecordedEvent[]): RecordedEvent[][] {
  const runs: RecordedEvent[][] = [];
  let last: RecordedEvent | undefined;
  for (const event of batch) {
    const isNext =
      last?.stream === event.stream && (last.stream === LEDGER_STREAM || last.revision + 1 === event.revision);
    if (isNext) runs.at(-1)?.push(event);
    else runs.push([event]);
    last = event;
  }
  return runs;
}
