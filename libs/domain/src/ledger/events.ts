import type { AccountName } from './accounts.js';
import type { Currency } from './currencies.js';
import type { ListedFact } from './movements/registry.js';

export { REFUND_REASONS, type RefundReason } from './movements/chat-payment.js';

/** One posting: what an account gains (positive) or gives (negative), in minor units. An event's entries sum to zero per currency. */
export type Entry = readonly [account: AccountName, currency: Currency, delta: bigint];

/** Fields of every event. */
export interface Fact<T extends string> {
  readonly type: T;
  readonly entries: readonly Entry[];
}

/** A result of `decide`: an event without the writer's stamp. */
export type LedgerFact = ListedFact;
export type LedgerEventType = LedgerFact['type'];
export type FactOf<T extends LedgerEventType> = Extract<LedgerFact, { type: T }>;

/** An idempotency key as events and state keep it: never the key itself. */
export interface CommandKey {
  /** First 128 bits of SHA-256 over scope and key, 32 hex digits. */
  readonly hash: string;
  /** First 64 bits of SHA-256 over the command, 16 hex digits: the same key with another body is refused. */
  readonly fingerprint: string;
}

/** The fields that the writer adds to a fact. */
export interface Stamp {
  /** Journal time: milliseconds since 1970, never earlier than the event before. */
  readonly at: number;
  /** Who did it: `member:{id}`, `admin:{id}`, `app:{clientId}`, `stripe`, `process`, `terminal`. */
  readonly actor: string;
  /** The cause outside the ledger: a chat event's id, a payment intent, a request id. */
  readonly cause?: string;
  /** Present on the first event of a command that had a key. */
  readonly key?: CommandKey;
  /**
   * Present on the first event of a command that had no key: no two commands share it. Without it two servers that decide
   * the same thing in the same millisecond would write the same bytes, and the store would take one for a repeat of the other.
   */
  readonly nonce?: string;
  /** Present if a command made several events: this one's place (from 0) and their number. */
  readonly part?: readonly [index: number, count: number];
}

/** An event of the journal (stream `ledger`). */
export type LedgerEvent = LedgerFact & Stamp;

/** The stream that holds the journal. */
export const LEDGER_STREAM = 'ledger';
