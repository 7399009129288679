import * as fc from 'fast-check';
import { CURRENCIES } from '../currencies.js';
import { REFUND_REASONS, type Entry, type LedgerEvent, type LedgerEventType, type LedgerFact } from '../events.js';

type FieldsOf<T extends LedgerEventType> = {
  [K in Exclude<keyof Extract<LedgerFact, { type: T }>, 'type' | 'entries' | 'cause'>]-?: fc.Arbitrary<
    Extract<LedgerFact, { type: T }>[K]
  >;
};

/** What texts and amounts of an event may be. */
export interface Parts {
  readonly text: fc.Arbitrary<string>;
  readonly minor: fc.Arbitrary<bigint>;
}

/** Texts and amounts that are hard to write and to read. */
export const hostileText = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', '\n', '\u2028', '\ud800', '","amount":"9', '</script>', '😀'),
);
const hostileMinor = fc.oneof(fc.bigInt(), fc.constantFrom(0n, -1n, 2n ** 100n));
const account = fc.constantFrom('user:ann:earned', 'treasury', 'pool:thread:ann', 'external:stripe', 'app:a:purchased');
const entryOf = ({ minor }: Parts) =>
  fc.tuple(account, fc.constantFrom(...CURRENCIES), minor) as unknown as fc.Arbitrary<Entry>;
const count = fc.nat(1_000_000);

const fieldsOf = ({ text, minor }: Parts): { [T in LedgerEventType]: FieldsOf<T> } => {
  const CHAT = { chatId: text, initiatorId: text, hostId: text };
  const SPLIT = { senderId: text, recipientId: text, amount: minor, recipientShare: minor, influenceShare: minor };
  const CARD = { ...SPLIT, subjectId: text };
  const APP = { clientId: text, ownerId: text, userId: text, amount: minor };
  return {
    NovaPurchased: {
      userId: text,
      amount: minor,
      paymentIntentId: text,
      chargedCents: count,
      livemode: fc.boolean(),
    },
    PurchaseReversed: {
      userId: text,
      amount: minor,
      shortfall: minor,
      paymentIntentId: text,
      reversalId: text,
      reason: fc.constantFrom('refund', 'dispute'),
    },
    SpendingFrozen: { userId: text, disputeId: text },
    SpendingUnfrozen: { userId: text, disputeId: fc.option(text) },
    GiftSent: { ...SPLIT, clientId: text },
    CardUnlocked: CARD,
    CardUpvoted: CARD,
    CardNavigated: CARD,
    WallCommentPaid: CARD,
    FeedScrolled: CARD,
    ChatPaymentHeld: { ...CHAT, amount: minor },
    ChatPaymentRefunded: { ...CHAT, amount: minor, reason: fc.constantFrom(...REFUND_REASONS) },
    ChatPaymentSettled: {
      ...CHAT,
      outcome: fc.constantFrom('success', 'broken-off'),
      paid: minor,
      refunded: minor,
      hostShare: minor,
      karmaShare: minor,
      threadShare: minor,
      treasuryShare: minor,
    },
    ChatRewardReleased: {
      chatId: text,
      userId: text,
      side: fc.constantFrom('host', 'initiator'),
      amount: minor,
      influence: minor,
    },
    KarmaMinted: { userId: text, completedChats: count },
    ThreadShareGranted: { hostId: text, userId: text, chatId: text },
    PoolRewardsPaid: {
      userId: text,
      payouts: fc.array(fc.tuple(fc.constantFrom('pool:karma' as const, 'pool:thread:ann' as const), minor)),
    },
    QuestRewardClaimed: { userId: text, questId: text, amount: minor },
    NovaGranted: { userId: text, adminId: text, amount: minor },
    NovaDeducted: { userId: text, adminId: text, amount: minor },
    TokensBurned: { userId: text, earnedNova: minor, karma: minor, influence: minor, seyvn: minor },
    AppWalletFunded: APP,
    AppWalletWithdrawn: APP,
    AppTokensSpent: APP,
    AppTokensEarned: APP,
    AccountClosing: { userId: text },
    AccountClosed: { userId: text },
    PeriodClosed: { endsAt: count },
    SigningBegan: { journal: text, publicKey: text, streams: fc.constant('all' as const) },
    SigningKeyChanged: { publicKey: text, proof: text, streams: fc.constant('all' as const) },
  };
};

const HOSTILE: Parts = { text: hostileText, minor: hostileMinor };
const FIELDS = fieldsOf(HOSTILE);
export const LEDGER_EVENT_TYPES = Object.keys(FIELDS) as LedgerEventType[];
/** The names of a type's fields beyond stamp and entries, in no order that may be relied on. */
export const fieldNames = (type: LedgerEventType): string[] => Object.keys(FIELDS[type]);
export const OPTIONAL: Partial<Record<LedgerEventType, string>> = {
  GiftSent: 'clientId',
  SigningBegan: 'streams',
  SigningKeyChanged: 'streams',
};
export const NULLABLE: Partial<Record<LedgerEventType, string>> = { SpendingUnfrozen: 'disputeId' };

const hex = (digits: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`));

const stampOf = ({ text }: Parts) => ({
  at: fc.nat(2 ** 31),
  actor: text,
  cause: text,
  key: fc.record({ hash: hex(32), fingerprint: hex(16) }),
  nonce: text,
  part: fc.tuple(fc.nat(9), fc.nat(9)),
});

/** Any event of a type, whether or not it could happen. */
export const anyEvent = (type: LedgerEventType, parts = HOSTILE): fc.Arbitrary<LedgerEvent> => {
  const fields: Record<string, fc.Arbitrary<unknown>> = fieldsOf(parts)[type];
  const required = Object.keys(fields).filter((name) => name !== OPTIONAL[type]);
  const entries = fc.array(entryOf(parts), { maxLength: 5 });
  return fc.record({ type: fc.constant(type), entries, ...stampOf(parts), ...fields }, {
    requiredKeys: ['type', 'entries', 'at', 'actor', ...required],
    noNullPrototype: true,
  } as never) as unknown as fc.Arbitrary<LedgerEvent>;
};
