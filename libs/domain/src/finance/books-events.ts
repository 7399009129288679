import { FactCodec } from '../fact-codec.js';

/** The stream of what finance adds to the journal: movements at the payment provider, closes, adjustments, policies. */
export const BOOKS_STREAM = 'books';

/** The kinds of movements of our balance at the provider. */
export const MOVEMENT_KINDS = [
  'payment',
  'refund',
  'refund-failed',
  'dispute',
  'dispute-won',
  'fee',
  'payout',
  'payout-returned',
  'top-up',
  'other',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** A movement of our balance at the payment provider, recorded once. Times are milliseconds since 1970. */
export interface ProviderMoved {
  readonly type: 'ProviderMoved';
  /** The provider's id of it. */
  readonly movementId: string;
  readonly kind: MovementKind;
  /** Lower case, as the provider has it. */
  readonly currency: string;
  /** In the currency's smallest unit: positive comes in. The fee is not part of it, and leaves where positive. */
  readonly amount: number;
  readonly fee: number;
  /** The id of the payment, refund, dispute or payout behind it. */
  readonly providerId: string | null;
  readonly paymentIntentId: string | null;
  readonly livemode: boolean;
  readonly createdAt: number;
  /** For a payout: when it is in the bank. */
  readonly arrivesAt: number | null;
  /** The posting date: `createdAt`, or the first moment after the books were closed. */
  readonly postedAt: number;
  readonly at: number;
}

/** All movements before a moment are recorded. */
export interface ProviderRead {
  readonly type: 'ProviderRead';
  readonly until: number;
  readonly at: number;
}

/** Lines in dollars that a person decided on: `account subject cents` each, joined by line feeds; debits are positive. */
interface Decided<T extends string> {
  readonly type: T;
  readonly lines: string;
  readonly postedAt: number;
  readonly adminId: string;
  /** The row with the reason. */
  readonly reasonId: string;
  readonly at: number;
}

/** A subject left open between journal and provider was explained: the account named takes it. */
export interface SubjectExplained extends Decided<'SubjectExplained'> {
  readonly account: string;
  readonly subject: string;
}

/** An entry by hand: an accrual, an expected loss, a release. */
export interface AdjustmentPosted extends Decided<'AdjustmentPosted'> {
  readonly adjustmentId: string;
}

/** A period of the dollar books is closed: nothing is posted in it any more. */
export interface BooksPeriodClosed {
  readonly type: 'BooksPeriodClosed';
  /** From 1, without gaps. */
  readonly number: number;
  /** Its last moment. The next period begins a millisecond later. */
  readonly endsAt: number;
  /** The time zone by whose months it was chosen (IANA). The moment above stays, whatever becomes of the zone. */
  readonly timeZone: string;
  /** Of the last event of the ledger that is in it, and the journal's chain there. */
  readonly ledgerRevision: number;
  readonly chainHash: string;
  /** `account cents` a line, in the order of the chart: every account that is not at zero. */
  readonly trialBalance: string;
  /**
   * `account subject cents` a line: what is reclassified at its last moment, and taken back at the first of the next
   * period.
   */
  readonly lines: string;
  readonly adminId: string;
  readonly at: number;
}

/** What the company chose where the accounting policy leaves a choice (`docs/accounting.md`). */
export interface PolicySet {
  readonly type: 'PolicySet';
  /** How much of what members owe is expected to be lost: 0 to 100 percent. */
  readonly allowancePercent: number;
  /** From this moment on, in place of what was set before. It was not closed when this was set. */
  readonly effectiveAt: number;
  readonly adminId: string;
  readonly reasonId: string;
  readonly at: number;
}

export type BooksEvent =
  ProviderMoved | ProviderRead | SubjectExplained | AdjustmentPosted | BooksPeriodClosed | PolicySet;

const DECIDED = { lines: 'text', postedAt: 'number', adminId: 'text', reasonId: 'text', at: 'number' } as const;

const codec = new FactCodec<BooksEvent>({
  ProviderMoved: {
    movementId: 'text',
    kind: 'text',
    currency: 'text',
    amount: 'number',
    fee: 'number',
    providerId: 'nullable-text',
    paymentIntentId: 'nullable-text',
    livemode: 'boolean',
    createdAt: 'number',
    arrivesAt: 'nullable-number',
    postedAt: 'number',
    at: 'number',
  },
  ProviderRead: { until: 'number', at: 'number' },
  SubjectExplained: { account: 'text', subject: 'text', ...DECIDED },
  AdjustmentPosted: { adjustmentId: 'text', ...DECIDED },
  BooksPeriodClosed: {
    number: 'number',
    endsAt: 'number',
    timeZone: 'text',
    ledgerRevision: 'number',
    chainHash: 'text',
    trialBalance: 'text',
    lines: 'later-text',
    adminId: 'text',
    at: 'number',
  },
  PolicySet: { allowancePercent: 'number', effectiveAt: 'number', adminId: 'text', reasonId: 'text', at: 'number' },
});

/** The bytes of the event's data, as they are stored. */
export const encodeBooksEvent = (event: BooksEvent): string => codec.encode(event);

/** @throws UnreadableFact for what this version does not know */
export const decodeBooksEvent = (type: string, data: string): BooksEvent => codec.decode(type, data);
