import type { AccountName, PoolName } from './accounts.js';
import type { Currency } from './currencies.js';

/** One posting: what an account gains (positive) or gives (negative), in minor units. An event's entries sum to zero per currency. */
export type Entry = readonly [account: AccountName, currency: Currency, delta: bigint];

interface Fact<T extends string> {
  readonly type: T;
  readonly entries: readonly Entry[];
}

/** A card payment arrived: external:stripe → purchased. */
export interface NovaPurchased extends Fact<'NovaPurchased'> {
  readonly userId: string;
  readonly amount: bigint;
  readonly paymentIntentId: string;
  /** What the card was charged, in US cents. */
  readonly chargedCents: number;
  /** False for the sandbox and for test keys. A live key refuses a journal that holds sandbox purchases. */
  readonly livemode: boolean;
}

/** A refund, or a dispute that was lost: purchased, then earned, go back; what the member no longer has is a chargeback. */
export interface PurchaseReversed extends Fact<'PurchaseReversed'> {
  readonly userId: string;
  readonly amount: bigint;
  /** The part that the member no longer had, taken from external:chargebacks. */
  readonly shortfall: bigint;
  readonly paymentIntentId: string;
  readonly reversalId: string;
  readonly reason: 'refund' | 'dispute';
}

export interface SpendingFrozen extends Fact<'SpendingFrozen'> {
  readonly userId: string;
  readonly disputeId: string;
}

/** Won, or lifted by an admin. `disputeId` null lifts every freeze of the member. */
export interface SpendingUnfrozen extends Fact<'SpendingUnfrozen'> {
  readonly userId: string;
  readonly disputeId: string | null;
}

/** A payment to a member, half to them and half to the holders of Influence (S1 §9 Gifts; `decisions.md`, Discovery). */
interface SplitPayment<T extends string> extends Fact<T> {
  readonly senderId: string;
  readonly recipientId: string;
  readonly amount: bigint;
  readonly recipientShare: bigint;
  /** To pool:influence, or to the treasury where nobody holds Influence. */
  readonly influenceShare: bigint;
}

export interface GiftSent extends SplitPayment<'GiftSent'> {
  /** The OAuth application through which the member sent it, if any. */
  readonly clientId?: string;
}

/** `subjectId`: the card's owner (unlock, upvote, navigate), the comment (wall), the post (scroll). */
interface CardPayment<T extends string> extends SplitPayment<T> {
  readonly subjectId: string;
}
export type CardUnlocked = CardPayment<'CardUnlocked'>;
export type CardUpvoted = CardPayment<'CardUpvoted'>;
export type CardNavigated = CardPayment<'CardNavigated'>;
export type WallCommentPaid = CardPayment<'WallCommentPaid'>;
export type FeedScrolled = CardPayment<'FeedScrolled'>;

export interface ChatPaymentHeld extends Fact<'ChatPaymentHeld'> {
  readonly chatId: string;
  readonly initiatorId: string;
  readonly hostId: string;
  readonly amount: bigint;
}

export const REFUND_REASONS = ['declined', 'expired', 'abandoned', 'terminated', 'idle'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export interface ChatPaymentRefunded extends Fact<'ChatPaymentRefunded'> {
  readonly chatId: string;
  readonly initiatorId: string;
  readonly hostId: string;
  readonly amount: bigint;
  readonly reason: RefundReason;
}

/** Success, or the part due when the initiator breaks off: 50 % host, 10 % karma pool, 10 % thread pool, 30 % treasury, the rest back. */
export interface ChatPaymentSettled extends Fact<'ChatPaymentSettled'> {
  readonly chatId: string;
  readonly initiatorId: string;
  readonly hostId: string;
  readonly outcome: 'success' | 'broken-off';
  readonly paid: bigint;
  readonly refunded: bigint;
  readonly hostShare: bigint;
  readonly karmaShare: bigint;
  readonly threadShare: bigint;
  readonly treasuryShare: bigint;
}

export interface ChatRewardReleased extends Fact<'ChatRewardReleased'> {
  readonly chatId: string;
  readonly userId: string;
  readonly side: 'host' | 'initiator';
  /** NOVA that left pending; 0 for the initiator. */
  readonly amount: bigint;
  /** INFLUENCE minted: 1 for the initiator, 1 on a host's every fifth time, else 0. */
  readonly influence: bigint;
}

export interface KarmaMinted extends Fact<'KarmaMinted'> {
  readonly userId: string;
  readonly completedChats: number;
}

/** The counterpart gains one share in pool:thread:{hostId}. */
export interface ThreadShareGranted extends Fact<'ThreadShareGranted'> {
  readonly hostId: string;
  readonly userId: string;
  readonly chatId: string;
}

/** What pools owed a holder, moved to earned: one event for all of the holder's pools. */
export interface PoolRewardsPaid extends Fact<'PoolRewardsPaid'> {
  readonly userId: string;
  readonly payouts: readonly (readonly [pool: PoolName, amount: bigint])[];
}

export interface QuestRewardClaimed extends Fact<'QuestRewardClaimed'> {
  readonly userId: string;
  readonly questId: string;
  readonly amount: bigint;
}

export interface NovaGranted extends Fact<'NovaGranted'> {
  /** Of a bulk, whose rows have causes of their own: the stamp's. */
  readonly cause?: string;
  readonly userId: string;
  readonly adminId: string;
  readonly amount: bigint;
}

export interface NovaDeducted extends Fact<'NovaDeducted'> {
  readonly userId: string;
  readonly adminId: string;
  readonly amount: bigint;
}

export interface TokensBurned extends Fact<'TokensBurned'> {
  readonly userId: string;
  readonly earnedNova: bigint;
  readonly karma: bigint;
  readonly influence: bigint;
  readonly seyvn: bigint;
}

interface AppMovement<T extends string> extends Fact<T> {
  readonly clientId: string;
  /** The developer to whom the application's wallet belongs. */
  readonly ownerId: string;
  /** The member on the other side: the owner when the wallet is funded or withdrawn. */
  readonly userId: string;
  readonly amount: bigint;
}
export type AppWalletFunded = AppMovement<'AppWalletFunded'>;
export type AppWalletWithdrawn = AppMovement<'AppWalletWithdrawn'>;
export type AppTokensSpent = AppMovement<'AppTokensSpent'>;
export type AppTokensEarned = AppMovement<'AppTokensEarned'>;

export interface AccountClosing extends Fact<'AccountClosing'> {
  readonly userId: string;
}

/** Nothing is open any more: NOVA → treasury, other currencies → burned, shares removed. */
export interface AccountClosed extends Fact<'AccountClosed'> {
  readonly userId: string;
}

/**
 * The books up to a moment are closed. It is dated after that moment, and journal time never falls, so nothing that follows
 * can be dated before it. What they held is sealed in the stream `periods`.
 */
export interface PeriodClosed extends Fact<'PeriodClosed'> {
  /** The period's last moment, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** What is written to the other streams, too, is signed since the key began to sign; absent in journals of which only the ledger is. */
export interface SigningScope {
  readonly streams?: 'all';
}

/** From this event on, itself included, every event of the journal is in a signed range (`docs/ledger.md`). */
export interface SigningBegan extends Fact<'SigningBegan'>, SigningScope {
  /** Which journal it is: 32 hex digits, in every signed text. */
  readonly journal: string;
  /** The Ed25519 key that signs: its 32 bytes as 64 hex digits. */
  readonly publicKey: string;
}

/** What comes after it is signed by another key; it itself by the one before. */
export interface SigningKeyChanged extends Fact<'SigningKeyChanged'>, SigningScope {
  readonly publicKey: string;
  /** The new key's own signature, base64url: whoever changes to a key has it. */
  readonly proof: string;
}

/** What `decide` answers with: an event before the writer stamped it. */
export type LedgerFact =
  | NovaPurchased
  | PurchaseReversed
  | SpendingFrozen
  | SpendingUnfrozen
  | GiftSent
  | CardUnlocked
  | CardUpvoted
  | CardNavigated
  | WallCommentPaid
  | FeedScrolled
  | ChatPaymentHeld
  | ChatPaymentRefunded
  | ChatPaymentSettled
  | ChatRewardReleased
  | KarmaMinted
  | ThreadShareGranted
  | PoolRewardsPaid
  | QuestRewardClaimed
  | NovaGranted
  | NovaDeducted
  | TokensBurned
  | AppWalletFunded
  | AppWalletWithdrawn
  | AppTokensSpent
  | AppTokensEarned
  | AccountClosing
  | AccountClosed
  | PeriodClosed
  | SigningBegan
  | SigningKeyChanged;

export type LedgerEventType = LedgerFact['type'];

/** An idempotency key as events and state keep it: never the key itself. */
export interface CommandKey {
  /** First 128 bits of SHA-256 over scope and key, 32 hex digits. */
  readonly hash: string;
  /** First 64 bits of SHA-256 over the command, 16 hex digits: the same key with another body is refused. */
  readonly fingerprint: string;
}

/** What the writer adds to a fact. */
export interface Stamp {
  /** Journal time: milliseconds since 1970, never earlier than the event before. */
  readonly at: number;
  /** Who did it: `member:{id}`, `admin:{id}`, `app:{clientId}`, `stripe`, `process`, `terminal`. */
  readonly actor: string;
  /** What led to it outside the ledger: a chat event's id, a payment intent, a request id. */
  readonly cause?: string;
  /** Present on the first event of a command that had a key. */
  readonly key?: CommandKey;
  /**
   * Present on the first event of a command that had no key: no two commands share it. Without it two servers that decide
   * the same thing in the same millisecond would write the same bytes, and the store would take one for a repeat of the other.
   */
  readonly nonce?: string;
  /** Present where a command made several events: this one's place (from 0) and their number. */
  readonly part?: readonly [index: number, count: number];
}

/** An event of the journal (stream `ledger`). */
export type LedgerEvent = LedgerFact & Stamp;

/** The stream that holds the journal. */
export const LEDGER_STREAM = 'ledger';
