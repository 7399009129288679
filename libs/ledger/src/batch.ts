import type { KeyUnderTest, Rejection, Signing } from '@app/domain';
import type { NewEvent } from '@app/event-store';
import { correlationOf, type EnvelopeVersion, isEnvelopeId, type Origin } from './envelope.js';
import type { JournalHead } from './journal-reader.js';
import type { CommandOutcome, CommandRequest, JournalEvent } from './writer-port.js';

/** What of the journal the state rests on. */
export interface Footing {
  /** How often the state was built anew: each time perhaps from another journal. */
  readonly loads: number;
  readonly revision: number;
}

/**
 * The key index's answer for a command's key, as far as the state reached when the index was asked: the index may have seen more of
 * a journal whose end a stand-by then lost.
 */
export interface IndexAnswer {
  readonly loads: number;
  readonly through: number;
  readonly found: { readonly fingerprint: string; readonly revision: number } | undefined;
}

/** A command between its caller and the journal. */
export class Pending {
  index: IndexAnswer | undefined;
  settled = false;
  /** Set once its append was sent: from then on the outcome may be unknown. */
  sent = false;
  private madeOrigin: Origin | undefined;

  constructor(
    readonly request: CommandRequest,
    readonly key: KeyUnderTest | undefined,
    /** By `performance.now()`. */
    readonly deadline: number,
    private readonly resolveWith: (outcome: CommandOutcome) => void,
    private readonly rejectWith: (error: unknown) => void,
  ) {}

  /** For the metadata of its events: the same however often it is decided. */
  get origin(): Origin {
    const { correlationId, causationId } = this.request;
    this.madeOrigin ??= {
      correlationId: correlationOf(correlationId),
      ...(isEnvelopeId(causationId) && { causationId }),
    };
    return this.madeOrigin;
  }

  resolve(outcome: CommandOutcome): void {
    if (this.settled) return;
    this.settled = true;
    this.resolveWith(outcome);
  }

  reject(error: unknown): void {
    if (this.settled) return;
    this.settled = true;
    this.rejectWith(error);
  }
}

/** The decision on a command. The caller gets it only when the batch is durable. */
export type Decided =
  | {
      readonly kind: 'accepted';
      readonly events: readonly JournalEvent[];
      readonly revision: number;
      readonly balances: ReadonlyMap<string, bigint>;
      /** Of a dry run. */
      readonly balancesBefore?: ReadonlyMap<string, bigint>;
      readonly spentToday?: bigint;
    }
  | { readonly kind: 'refused'; readonly rejection: Rejection; readonly revision: number }
  | { readonly kind: 'repeat'; readonly revision: number }
  | { readonly kind: 'reused' };

/** How many events a stream may have, and what is said to a command beyond. */
export interface EventsLimit {
  readonly max: number;
  readonly rejection: Rejection;
}

/** Commands decided together on the same ground, and the one append that makes them durable. */
export class Batch {
  readonly decided: (readonly [pending: Pending, decided: Decided])[] = [];
  readonly events: NewEvent[] = [];
  bytes = 0;
  /** The journal's head after this batch, on which the next batch is decided. */
  head: JournalHead;
  /** Changes of the state that belong to this batch, and the window's evictions after it. */
  undoSteps = 0;
  evictions = 0;

  constructor(
    readonly from: JournalHead,
    /** The version of its events' metadata. */
    readonly envelope: EnvelopeVersion,
    /** The key whose signature it carries; undefined while nothing is signed. */
    readonly signing: Signing | undefined,
    readonly eventsLimit?: EventsLimit | undefined,
  ) {
    this.head = from;
  }

  /** What it has added to the journal. */
  written(): JournalEvent[] {
    return this.decided.flatMap(([, decided]) =>
      decided.kind === 'accepted' && decided.balancesBefore === undefined ? decided.events : [],
    );
  }

  get pendings(): Pending[] {
    return this.decided.map(([pending]) => pending);
  }
}
