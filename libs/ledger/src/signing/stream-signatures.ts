import { setImmediate as turn } from 'node:timers/promises';
import { LEDGER_STREAM, type Signing } from '@app/domain';
import { type EventStore, type RecordedEvent, StoreRefused, StoreUnavailable } from '@app/event-store';
import { hashOf, markOf, type RangeMark } from '../envelope.js';
import { EMPTY_HEAD, eventAt, StoreJournal } from '../journal-reader.js';
import { readLedgerEvent } from '../linked-event.js';
import { APPEND_EVENTS_MAX, appendText, isSignedBy, keyIdOf } from './range.js';
import { type JournalTrust, signingAfter, type TrustedKey } from './trust.js';

/** Signatures that are known to be right, the newest of them: what a process wrote or read it need not check again. */
const KNOWN_MAX = 20_000;

/** So many signatures take some milliseconds; then others have their turn. */
const CHECKS_AT_ONCE = 32;

/** Events that were told of already. */
const TOLD_MAX = 1_000;

/** From where on a key counts, in the order of all events. */
interface Fence {
  readonly position: bigint;
  /** Undefined where the key signs the ledger alone. */
  readonly signing: Signing | undefined;
}

/** Where an append ends. */
interface AppendEnd {
  readonly revision: number;
  readonly mark: RangeMark;
}

/**
 * Whether the events of streams other than the ledger's were written by us. Each append carries a signature of its own, by the
 * key that counts where its first event stands in the order of all events. What nobody signed is a foreign event: it keeps its
 * place, and means nothing.
 */
export class StreamSignatures {
  private fences: readonly Fence[] | undefined;
  /** By signature, the text that it is of. */
  private readonly known = new Map<string, string>();
  private readonly told = new Set<string>();

  constructor(
    private readonly store: Pick<EventStore, 'readStream' | 'head'>,
    private readonly trust: JournalTrust,
    private readonly onUnsigned: (event: RecordedEvent) => void = () => undefined,
  ) {}

  /** Where events stand that nobody signed, as far as they were met: the first 1,000. */
  get unsigned(): readonly string[] {
    return [...this.told];
  }

  /** What this process has signed itself. */
  know(signature: string, text: string): void {
    this.known.set(signature, text);
    const [oldest] = this.known.keys();
    if (this.known.size > KNOWN_MAX && oldest !== undefined) this.known.delete(oldest);
  }

  /** Whose signature what is appended needs; undefined where the ledger alone is signed. @throws StoreUnavailable */
  async now(): Promise<Signing | undefined> {
    return (await this.fencesNow()).at(-1)?.signing;
  }

  /**
   * The same events, of one stream and without a gap, with those marked as foreign that nobody signed. The rest of an append
   * that begins or ends outside is read.
   * @param isStream they were read from one stream: then none may stand, in the order of all, before a signed one it follows
   * @throws StoreUnavailable
   */
  async checked(run: readonly RecordedEvent[], isStream = false): Promise<readonly RecordedEvent[]> {
    const fences = await this.fencesNow();
    if (!fences.some(({ signing }) => signing)) return run;
    const checked: RecordedEvent[] = [];
    let floor = isStream ? await this.floorBefore(run, fences) : -1n;
    for (let at = 0, checks = 1; at < run.length; checks += 1) {
      const event = run[at] as RecordedEvent;
      const signing = signingAt(fences, floor > event.position ? floor : event.position);
      if (event.isForeign || !signing) {
        checked.push(event);
        at += 1;
        continue;
      }
      const { events, isSigned } = await this.appendAt(run, at, signing);
      for (const one of events) checked.push(isSigned ? one : this.foreign(one));
      at += events.length;
      if (isSigned && isStream) floor = events.at(-1)?.position ?? floor;
      if (checks % CHECKS_AT_ONCE === 0) await turn();
    }
    return checked;
  }

  /** The same events without those that are nobody's. @throws StoreUnavailable */
  async ours(run: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    if (run[0]?.stream === LEDGER_STREAM) return run;
    return (await this.checked(run)).filter(({ isForeign }) => !isForeign);
  }

  /** Those of the run, from a place on, that were appended at once; or that nobody signed. */
  private async appendAt(run: readonly RecordedEvent[], at: number, signing: Signing) {
    const end = await this.endOf(run, at);
    if (!(end instanceof Object)) return { events: run.slice(at, at + end), isSigned: false };
    const { revision } = run[at] as RecordedEvent;
    const { first } = end.mark;
    // What stands between the append and the one before it.
    if (first > revision) return { events: run.slice(at, at + first - revision), isSigned: false };
    const events = run.slice(at, at + end.revision - revision + 1);
    const isWhole = first === revision || at === 0;
    return { events, isSigned: isWhole && (await this.isSigned(events, end, signing)) };
  }

  /** Of the next append that ends at a place or behind it; or how many events from there on are surely in none. */
  private async endOf(run: readonly RecordedEvent[], at: number): Promise<AppendEnd | number> {
    const most = at + APPEND_EVENTS_MAX;
    for (let place = at; place < Math.min(run.length, most); place++) {
      const end = endAt(run[place]);
      if (end) return end;
    }
    if (run.length >= most) return 1;
    const { stream, revision } = run.at(-1) as RecordedEvent;
    let last = revision;
    for await (const batch of this.store.readStream(stream, { from: revision + 1, limit: most - run.length })) {
      for (const event of batch) {
        const end = endAt(event);
        if (end) return end;
        last = event.revision;
      }
    }
    if (last === revision + most - run.length) return 1;
    // What we were not given yet is not unsigned for that: the head is told by the newest state that there is.
    if (((await this.store.head(stream))?.revision ?? -1) > last) throw notThere(stream, last + 1);
    return run.length - at;
  }

  private async isSigned(
    events: readonly RecordedEvent[],
    { revision, mark: { first, key, sig } }: AppendEnd,
    signing: Signing,
  ): Promise<boolean> {
    const [{ stream }] = events as readonly [RecordedEvent];
    const count = revision - first + 1;
    if (key !== keyIdOf(signing.publicKey) || count > APPEND_EVENTS_MAX) return false;
    const whole = events.length === count ? events : await this.eventsOf(stream, first, count);
    if (whole.length !== count) throw notThere(stream, revision);
    const text = appendText(signing, { stream, first, events: whole });
    if (this.known.get(sig) === text) return true;
    if (!isSignedBy(signing.publicKey, text, sig)) return false;
    this.know(sig, text);
    return true;
  }

  private async eventsOf(stream: string, from: number, limit: number): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const batch of this.store.readStream(stream, { from, limit })) events.push(...batch);
    return events;
  }

  private foreign(event: RecordedEvent): RecordedEvent {
    const place = `${event.stream} revision ${event.revision}`;
    if (!this.told.has(place) && this.told.size < TOLD_MAX) {
      this.told.add(place);
      this.onUnsigned(event);
    }
    return { ...event, isForeign: true };
  }

  /** Where the signed event stands that a run of unsigned ones follows, if it follows one. */
  private async floorBefore([first]: readonly RecordedEvent[], fences: readonly Fence[]): Promise<bigint> {
    if (!first || first.revision === 0 || signingAt(fences, first.position)) return -1n;
    const [before] = await this.checked(await this.eventsOf(first.stream, first.revision - 1, 1));
    return before && !before.isForeign ? before.position : -1n;
  }

  private async fencesNow(): Promise<readonly Fence[]> {
    this.fences ??= await Promise.all(this.trust.map((key, place) => this.fenceOf(key, this.trust[place - 1])));
    return this.fences;
  }

  /**
   * A key that was changed to counts from the event on that changed it, and one that began from its beginning. What that event
   * says of the other streams counts as far as it is signed itself.
   */
  private async fenceOf({ journal, publicKey, from }: TrustedKey, before: TrustedKey | undefined): Promise<Fence> {
    const revision = before?.journal === journal ? from - 1 : from;
    const event = await eventAt(this.store, revision);
    if (!event) throw notThere(LEDGER_STREAM, revision);
    if (event.position < 0n) {
      throw new StoreRefused(
        'A journal can be signed in an EventStoreDB from 22.6 on: its older ones tell no positions.',
      );
    }
    const streams = await this.scopeAt(revision);
    return { position: event.position, signing: streams && { journal, publicKey, since: from, streams } };
  }

  private async scopeAt(revision: number): Promise<Signing['streams']> {
    const previous = revision === 0 ? undefined : await eventAt(this.store, revision - 1);
    const head = previous ? { revision: revision - 1, hash: hashOf(previous.metadata) } : EMPTY_HEAD;
    const journal = new StoreJournal(this.store, { trust: this.trust });
    const linked = journal.linked(head, { signing: signingAfter(this.trust, head.revision) });
    for await (const batch of linked) {
      const found = batch.find((event) => event.revision === revision);
      const event = found && readLedgerEvent(found);
      if (event) return event.type === 'SigningBegan' || event.type === 'SigningKeyChanged' ? event.streams : undefined;
    }
    throw notThere(LEDGER_STREAM, revision);
  }
}

const signingAt = (fences: readonly Fence[], position: bigint): Signing | undefined =>
  fences.findLast((fence) => fence.position <= position)?.signing;

/** A mark that promises what is still to come is none. */
function endAt(event: RecordedEvent | undefined): AppendEnd | undefined {
  const mark = event && markOf(event.metadata);
  return mark && mark.first <= event.revision ? { revision: event.revision, mark } : undefined;
}

const notThere = (stream: string, revision: number): StoreUnavailable =>
  new StoreUnavailable(`the store does not give revision ${revision} of ${stream} yet`);
