import type { LedgerEventType, LedgerFact } from './events.js';

/**
 * How a field is written: `text`, `number` and `boolean` as JSON has them, `minor` (a bigint) as decimal digits in quotes,
 * `payouts` as pairs of pool and digits. Only `optional-text` may be absent, only `nullable-text` null.
 */
export type FieldKind = 'text' | 'optional-text' | 'nullable-text' | 'number' | 'boolean' | 'minor' | 'payouts';

type FactOf<T extends LedgerEventType> = Extract<LedgerFact, { type: T }>;
type Shape<T extends LedgerEventType> = {
  readonly [K in Exclude<keyof FactOf<T>, 'type' | 'entries' | 'cause'>]-?: FieldKind;
};

const SPLIT = {
  senderId: 'text',
  recipientId: 'text',
  amount: 'minor',
  recipientShare: 'minor',
  influenceShare: 'minor',
} as const;
const CARD = { ...SPLIT, subjectId: 'text' } as const;
const APP = { clientId: 'text', ownerId: 'text', userId: 'text', amount: 'minor' } as const;
const CHAT = { chatId: 'text', initiatorId: 'text', hostId: 'text' } as const;

const SHAPES: { readonly [T in LedgerEventType]: Shape<T> } = {
  NovaPurchased: {
    userId: 'text',
    amount: 'minor',
    paymentIntentId: 'text',
    chargedCents: 'number',
    livemode: 'boolean',
  },
  PurchaseReversed: {
    userId: 'text',
    amount: 'minor',
    shortfall: 'minor',
    paymentIntentId: 'text',
    reversalId: 'text',
    reason: 'text',
  },
  SpendingFrozen: { userId: 'text', disputeId: 'text' },
  SpendingUnfrozen: { userId: 'text', disputeId: 'nullable-text' },
  GiftSent: { ...SPLIT, clientId: 'optional-text' },
  CardUnlocked: CARD,
  CardUpvoted: CARD,
  CardNavigated: CARD,
  WallCommentPaid: CARD,
  FeedScrolled: CARD,
  ChatPaymentHeld: { ...CHAT, amount: 'minor' },
  ChatPaymentRefunded: { ...CHAT, amount: 'minor', reason: 'text' },
  ChatPaymentSettled: {
    ...CHAT,
    outcome: 'text',
    paid: 'minor',
    refunded: 'minor',
    hostShare: 'minor',
    karmaShare: 'minor',
    threadShare: 'minor',
    treasuryShare: 'minor',
  },
  ChatRewardReleased: { chatId: 'text', userId: 'text', side: 'text', amount: 'minor', influence: 'minor' },
  KarmaMinted: { userId: 'text', completedChats: 'number' },
  ThreadShareGranted: { hostId: 'text', userId: 'text', chatId: 'text' },
  PoolRewardsPaid: { userId: 'text', payouts: 'payouts' },
  QuestRewardClaimed: { userId: 'text', questId: 'text', amount: 'minor' },
  NovaGranted: { userId: 'text', adminId: 'text', amount: 'minor' },
  NovaDeducted: { userId: 'text', adminId: 'text', amount: 'minor' },
  TokensBurned: { userId: 'text', earnedNova: 'minor', karma: 'minor', influence: 'minor', seyvn: 'minor' },
  AppWalletFunded: APP,
  AppWalletWithdrawn: APP,
  AppTokensSpent: APP,
  AppTokensEarned: APP,
  AccountClosing: { userId: 'text' },
  AccountClosed: { userId: 'text' },
  PeriodClosed: { endsAt: 'number' },
  SigningBegan: { journal: 'text', publicKey: 'text', streams: 'optional-text' },
  SigningKeyChanged: { publicKey: 'text', proof: 'text', streams: 'optional-text' },
};

/** A field of an event's data beyond stamp and entries. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** What stands before its value. */
  readonly lead: string;
  /** What an error calls it. */
  readonly where: string;
}

/** Each type's fields, in the order in which they are written. */
export const FIELDS: ReadonlyMap<string, readonly Field[]> = new Map(
  Object.entries(SHAPES).map(([type, shape]) => [
    type,
    Object.entries<FieldKind>(shape).map(([name, kind]) => ({
      name,
      kind,
      lead: `,"${name}":`,
      where: `${type}.${name}`,
    })),
  ]),
);
