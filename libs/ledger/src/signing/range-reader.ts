import {
  beginsSigning,
  changesSigningKey,
  LEDGER_STREAM,
  type LedgerEvent,
  type Signing,
  signingBegunBy,
  signingKeyChangedBy,
  UnreadableEvent,
} from '@app/domain';
import { type Envelope, printEnvelope, type RangeMark, readEnvelope } from '../envelope.js';
import { type LinkedEvent, readLedgerEvent } from '../linked-event.js';
import { isSignedBy, keyIdOf, RANGE_BYTES_MAX, RANGE_EVENTS_MAX, rangeText, takeoverText } from './range.js';
import type { JournalTrust } from './trust.js';

export const UNSIGNED = 'is signed by nobody';

/** From here on the journal is not signed by a trusted key. Everything before is valid. */
export class ForgedEvent extends Error {
  override readonly name = 'ForgedEvent';

  constructor(
    /** Of the first event that is of no worth. */
    readonly revision: number,
    message: string,
  ) {
    super(message);
  }

  static at(revision: number, reason: string): ForgedEvent {
    return new ForgedEvent(revision, `revision ${revision} ${reason}`);
  }
}

/** An event whose link was checked, with its metadata as it is stored. */
export type ReadEvent = LinkedEvent & { readonly metadata: string };

/** A complete range, and whether its signature is right. */
interface WholeRange {
  readonly events: readonly ReadEvent[];
  /** What comes after it rests on it: a signature by the next key says nothing of this one's. */
  readonly isLastOfKey: boolean;
  isSigned(): boolean;
}

export interface RangeReaderOptions {
  /** What holds where the reading begins; undefined while nothing is signed. */
  readonly signing: Signing | undefined;
  readonly trust?: JournalTrust | undefined;
  /** Each signature is checked, not only the newest of what is read at once. */
  readonly isEverySignature?: boolean;
  /** The metadata of what stands before, in the same range. */
  readonly begun?: readonly string[];
}

/**
 * In a signed journal, holds back events until their whole signed range is there. Ranges touch without a gap. Of each
 * read only the newest signature is checked: an honest server signs only a head that it has verified, and the signature
 * covers everything before.
 */
export class RangeReader {
  private held: ReadEvent[] = [];
  /** Metadata of the range that is under way. */
  private lines: string[];
  private heldBytes = 0;
  private signing: Signing | undefined;
  private keyId: string | undefined;
  private failure: ForgedEvent | undefined;

  constructor(private readonly options: RangeReaderOptions) {
    this.lines = [...(options.begun ?? [])];
    this.signing = options.signing;
    this.keyId = options.signing && keyIdOf(options.signing.publicKey);
  }

  /** Whether what comes next must be signed. */
  get isSigned(): boolean {
    return this.signing !== undefined;
  }

  /** Whether what was taken last waits for the rest of its range. */
  get isInside(): boolean {
    return this.held.length > 0 && !this.failure;
  }

  /**
   * Takes the next events, in order. @returns the events that are safe to use; `throwIfForged` tells whether there were
   * more
   */
  take(events: readonly ReadEvent[]): readonly ReadEvent[] {
    if (!this.signing && !this.options.trust && !events.some(({ type }) => beginsSigning(type))) return events;
    const unsigned: ReadEvent[] = [];
    const ranges: WholeRange[] = [];
    try {
      for (const event of events) {
        this.begin(event);
        if (!this.signing) {
          unsigned.push(event);
          continue;
        }
        const range = this.hold(event);
        if (range) ranges.push(range);
      }
    } catch (error) {
      if (!(error instanceof ForgedEvent)) throw error;
      this.failure = error;
    }
    return [...unsigned, ...this.signedOf(ranges)];
  }

  /** Behind what is taken next stands what is no event of this journal. */
  fail(failure: ForgedEvent): void {
    this.failure = failure;
  }

  /** @throws ForgedEvent what was taken last holds what nobody signed, or ends before it */
  throwIfForged(): void {
    const { failure } = this;
    if (!failure) return;
    const unfinished = this.unfinished();
    throw unfinished && unfinished.revision < failure.revision ? unfinished : failure;
  }

  /** To be called at the journal's end: an append is written whole or not at all. @throws ForgedEvent */
  end(): void {
    this.throwIfForged();
    const unfinished = this.unfinished();
    if (unfinished) throw unfinished;
  }

  private unfinished(): ForgedEvent | undefined {
    const [first] = this.held;
    return first && ForgedEvent.at(first.revision, UNSIGNED);
  }

  /** Where the signed journal begins, and where ours must begin. */
  private begin(event: ReadEvent): void {
    const began = beginsSigning(event.type) ? signingBegunBy(readable(event)) : undefined;
    if (began) {
      const unfinished = this.unfinished();
      if (unfinished) throw unfinished;
      if (this.signing && !this.options.trust) throw ForgedEvent.at(event.revision, 'begins what has begun');
      this.follow({ journal: began.journal, publicKey: began.publicKey, since: event.revision });
    }
    // A key begins here: ours, if we know which.
    const { signing } = this;
    const since = signing?.since === event.revision ? signing : undefined;
    const ours = this.options.trust?.find(({ from }) => from === event.revision);
    if (!this.options.trust || (since?.journal === ours?.journal && since?.publicKey === ours?.publicKey)) return;
    throw ForgedEvent.at(
      event.revision,
      ours ? 'is not signed by the key that we know' : 'begins with a key that is not ours',
    );
  }

  private follow(signing: Signing): void {
    this.signing = signing;
    this.keyId = keyIdOf(signing.publicKey);
    this.lines = [];
  }

  /** The range that ends with this event, if it ends one. */
  private hold(event: ReadEvent): WholeRange | undefined {
    this.held.push(event);
    const envelope = readEnvelope(event.metadata);
    if (envelope?.range) return this.close(event, envelope, envelope.range);
    this.lines.push(event.metadata);
    this.heldBytes += event.data.length + event.metadata.length;
    if (this.lines.length > RANGE_EVENTS_MAX || this.heldBytes > RANGE_BYTES_MAX) {
      throw ForgedEvent.at(this.held[0]?.revision ?? event.revision, 'is in a range that does not end');
    }
    return undefined;
  }

  private close(last: ReadEvent, envelope: Envelope, { first, key, sig }: RangeMark): WholeRange {
    const { signing, held } = this;
    const { revision } = last;
    if (!signing) throw ForgedEvent.at(revision, 'is signed before the journal is');
    const from = held[0]?.revision ?? revision;
    const metadata = [...this.lines, printEnvelope({ ...envelope, range: undefined })];
    if (first !== revision - metadata.length + 1) throw ForgedEvent.at(from, 'is in a range that begins elsewhere');
    if (key !== this.keyId) throw ForgedEvent.at(from, `is signed by the key ${key}, which is not the journal's`);
    const text = rangeText(signing, { stream: LEDGER_STREAM, first, last: revision, hash: last.hash, metadata });
    const { publicKey } = signing;
    if (held.some(({ type }) => changesSigningKey(type))) this.changeKey(held, signing);
    this.held = [];
    this.lines = [];
    this.heldBytes = 0;
    return { events: held, isLastOfKey: this.signing !== signing, isSigned: () => isSignedBy(publicKey, text, sig) };
  }

  /** Alone in its range, so that no event is of two keys. */
  private changeKey([event, another]: readonly ReadEvent[], signing: Signing): void {
    if (!event) return;
    const changed = signingKeyChangedBy(readable(event));
    if (!changed || another) {
      throw ForgedEvent.at(event.revision, 'changes the key in the middle of a range');
    }
    if (!isSignedBy(changed.publicKey, takeoverText(signing, changed.publicKey), changed.proof)) {
      throw ForgedEvent.at(event.revision, 'changes to a key that did not agree');
    }
    this.follow({ ...signing, publicKey: changed.publicKey, since: event.revision + 1 });
  }

  /** Up to the first range whose signature is wrong. */
  private signedOf(ranges: readonly WholeRange[]): readonly ReadEvent[] {
    const isEvery = this.options.isEverySignature === true;
    const last = ranges.at(-1);
    const checked = ranges.filter((range) => isEvery || range === last || range.isLastOfKey);
    if (checked.every((range) => range.isSigned())) return ranges.flatMap(({ events }) => events);
    const wrong = ranges.findIndex((range) => !range.isSigned());
    const [first] = ranges[wrong]?.events ?? [];
    this.failure = ForgedEvent.at(first?.revision ?? 0, "is signed by somebody else than the journal's key");
    return ranges.slice(0, wrong).flatMap(({ events }) => events);
  }
}

/** Read before its signature is checked: whatever it is, it ends nothing. @throws ForgedEvent */
function readable(event: ReadEvent): LedgerEvent {
  try {
    return readLedgerEvent(event);
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    throw ForgedEvent.at(event.revision, 'cannot be read');
  }
}
