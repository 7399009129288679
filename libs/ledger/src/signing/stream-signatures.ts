import { setImmediate as turn } from 'node:timers/promises';
import { LEDGER_STREAM, type Signing, signingBegunBy, signingKeyChangedBy } from '@app/domain';
import { type EventStore, type RecordedEvent, StoreRefused, StoreUnavailable } from '@app/event-store';
import { LRUCache } from 'lru-cache';
import { markOf, type RangeMark } from '../envelope.js';
import { BrokenChain } from '../hash-chain.js';
import { eventAt, headAt, StoreJournal } from '../journal-reader.js';
import { readLedgerEvent } from '../linked-event.js';
import { APPEND_BYTES_MAX, APPEND_EVENTS_MAX, appendText, isSignedBy, keyIdOf } from './range.js';
import { ForgedEvent } from './range-reader.js';
import { type JournalTrust, signingAfter, type TrustedKey } from './trust.js';

/** Cache of right signatures, newest first: what a process wrote or read needs no second check. */
const KNOWN_MAX = 20_000;

/** This many signatures take some milliseconds; then other work gets its turn. */
const CHECKS_AT_ONCE = 32;

/** Events that were reported already. */
const TOLD_MAX = 1_000;

/** From where on a key counts, in the order of all events. */
interface Fence {
  readonly position: bigint;
  /** Undefined where the key signs the ledger alone. */
  readonly signing: Signing | undefined;
}

/** The end of an append. */
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
  private readonly known = new LRUCache<string, string>({ max: KNOWN_MAX });
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

  /** Signatures of this process. */
  know(signature: string, text: string): void {
    this.known.set(signature, text);
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
    const ends = new Ends(this.store, run);
    let floor = isStream ? await this.floorBefore(run, fences) : -1n;
    for (let at = 0, checks = 1; at < run.length; checks += 1) {
      const event = run[at] as RecordedEvent;
      const signing = signingAt(fences, floor > event.position ? floor : event.position);
      if (event.isForeign || !signing) {
        checked.push(event);
        at += 1;
        continue;
      }
      const { events, isSigned } = await this.appendAt(run, at, { signing, end: await ends.from(at) });
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
  private async appendAt(
    run: readonly RecordedEvent[],
    at: number,
    { signing, end }: { readonly signing: Signing; readonly end: AppendEnd | undefined },
  ) {
    const { revision } = run[at] as RecordedEvent;
    if (!end) return { events: run.slice(at), isSigned: false };
    const { first } = end.mark;
    // What stands between the append and the one before it.
    if (first > revision) return { events: run.slice(at, at + first - revision), isSigned: false };
    const events = run.slice(at, at + end.revision - revision + 1);
    const isWhole = first === revision || at === 0;
    return { events, isSigned: isWhole && (await this.isSigned(events, end, signing)) };
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
    if (bytesOf(whole) > APPEND_BYTES_MAX) return false;
    if (whole.length !== count) throw notThere(stream, revision);
    const text = appendText(signing, { stream, first, events: whole });
    if (this.known.get(sig) === text) return true;
    if (!isSignedBy(signing.publicKey, text, sig)) return false;
    this.know(sig, text);
    return true;
  }

  private async eventsOf(stream: string, from: number, limit: number): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    let bytes = 0;
    for await (const batch of this.store.readStream(stream, { from, limit })) {
      events.push(...batch);
      bytes += bytesOf(batch);
      if (bytes > APPEND_BYTES_MAX) break;
    }
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

  /** Where the last signed event stands before a run of unsigned ones, if one stands there. */
  private async floorBefore([first]: readonly RecordedEvent[], fences: readonly Fence[]): Promise<bigint> {
    if (!first || first.revision === 0 || signingAt(fences, first.position)) return -1n;
    const before = { from: first.revision - 1, direction: 'backwards', limit: APPEND_EVENTS_MAX } as const;
    for await (const batch of this.store.readStream(first.stream, before)) {
      for (const event of batch) {
        if (!signingAt(fences, event.position)) continue;
        const [checked] = await this.checked([event]);
        if (checked && !checked.isForeign) return checked.position;
      }
    }
    return -1n;
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
    const head = await headAt(this.store, revision - 1);
    const journal = new StoreJournal(this.store, { trust: this.trust });
    const linked = journal.linked(head, { signing: signingAfter(this.trust, head.revision) });
    try {
      for await (const batch of linked) {
        const found = batch.find((event) => event.revision === revision);
        const event = found && readLedgerEvent(found);
        if (event) return (signingBegunBy(event) ?? signingKeyChangedBy(event))?.streams;
      }
    } catch (error) {
      if (!(error instanceof ForgedEvent) && !(error instanceof BrokenChain)) throw error;
      throw new StoreUnavailable(`who signs is not to be seen: ${error.message}`, { cause: error });
    }
    throw notThere(LEDGER_STREAM, revision);
  }
}

/** Where appends end, in a run of events of one stream and behind it. */
class Ends {
  private place = -1;
  private end: AppendEnd | undefined;
  private behind: Promise<AppendEnd | undefined> | undefined;

  constructor(
    private readonly store: Pick<EventStore, 'readStream' | 'head'>,
    private readonly run: readonly RecordedEvent[],
  ) {}

  /** The first end at a place or behind it that an append with the event there can have. Places are asked for in order. */
  async from(at: number): Promise<AppendEnd | undefined> {
    for (let place = Math.max(at, this.place + 1); this.place < at && place < this.run.length; place++) {
      const end = endAt(this.run[place]);
      if (end) [this.place, this.end] = [place, end];
    }
    if (this.place >= at) return this.end;
    return await (this.behind ??= this.endBehind());
  }

  /** @throws StoreUnavailable what we were not given yet is not unsigned for that: the head is told by the newest state */
  private async endBehind(): Promise<AppendEnd | undefined> {
    const { stream, revision } = this.run.at(-1) as RecordedEvent;
    const most = revision + APPEND_EVENTS_MAX;
    for (let last = revision; last < most;) {
      const from = last + 1;
      for await (const batch of this.store.readStream(stream, { from, limit: most - last })) {
        for (const event of batch) {
          const end = endAt(event);
          if (end) return end;
          last = event.revision;
        }
      }
      if (((await this.store.head(stream))?.revision ?? -1) <= last) return undefined;
      if (last < from) throw notThere(stream, from);
    }
    return undefined;
  }
}

const bytesOf = (events: readonly RecordedEvent[]): number =>
  events.reduce((sum, { type, data, metadata }) => sum + type.length + data.length + metadata.length, 0);

const signingAt = (fences: readonly Fence[], position: bigint): Signing | undefined =>
  fences.findLast((fence) => fence.position <= position)?.signing;

/** A mark that claims future events is invalid. */
function endAt(event: RecordedEvent | undefined): AppendEnd | undefined {
  const mark = event && markOf(event.metadata);
  return mark && mark.first <= event.revision ? { revision: event.revision, mark } : undefined;
}

const notThere = (stream: string, revision: number): StoreUnavailable =>
  new StoreUnavailable(`the store does not give revision ${revision} of ${stream} yet`);
