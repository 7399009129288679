import * as fc from 'fast-check';
import type { CommandOf, LedgerCommand, LedgerCommandType } from '../commands.js';
import { REFUND_REASONS } from '../events.js';
import type { ReverseMovement, ReversibleType } from '../movements/reversal.js';

/** Few ids, so that commands meet: members who are hosts and developers too, chats that are paid for again. */
const MEMBERS = ['ann', 'ben', 'cat', 'dan'] as const;
const CHATS = ['c1', 'c2', 'c3'] as const;
const APPS = ['app-1', 'app-2'] as const;
const DISPUTES = ['dp_1', 'dp_2'] as const;

const member = fc.constantFrom(...MEMBERS);
const chatId = fc.constantFrom(...CHATS);
const clientId = fc.constantFrom(...APPS);
/** Odd sums, so that nothing divides evenly; now and then nothing, less, or more than anybody has. */
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt(1n, 399n) },
  { weight: 3, arbitrary: fc.bigInt(400n, 150_000n) },
  { weight: 1, arbitrary: fc.constantFrom(-1n, 0n, 100_000_000n) },
);
const tokens = fc.bigInt(0n, 3n);
/** Mostly the application's own developer, now and then somebody else. */
const application = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ clientId: 'app-1', ownerId: 'ann' }) },
  { weight: 3, arbitrary: fc.constant({ clientId: 'app-2', ownerId: 'ben' }) },
  { weight: 1, arbitrary: fc.record({ clientId, ownerId: member }) },
);
const via = fc
  .tuple(application, fc.constantFrom(0n, 500n, 200_000n))
  .map(([app, dailyLimit]) => ({ ...app, dailyLimit }));

/** Movements as reversals describe them, whether or not they happened. */
const anOriginal = fc
  .record({
    kind: fc.constantFrom(
      'GiftSent',
      'NovaGranted',
      'NovaDeducted',
      'AppTokensSpent',
      'AppTokensEarned',
      'TokensBurned',
    ),
    userId: member,
    otherId: member,
    app: application,
    purchased: fc.oneof(fc.constant(0n), amount),
    earned: amount,
    originalRevision: fc.constantFrom(0, 0, 5, 5, 5, -1, Number.MAX_SAFE_INTEGER),
  })
  .map(
    ({
      kind,
      userId,
      otherId,
      app,
      purchased,
      earned,
      originalRevision,
    }): Omit<ReverseMovement, 'adminId' | 'partly'> => {
      const original = { type: 'ReverseMovement', originalId: 'event-1', originalRevision, userId } as const;
      const originalType = kind as ReversibleType;
      if (kind === 'GiftSent') return { ...original, originalType, counterpartyId: otherId, purchased, earned };
      if (kind.startsWith('App')) {
        return { ...original, originalType, counterpartyId: app.ownerId, clientId: app.clientId, purchased, earned };
      }
      return {
        ...original,
        originalType,
        counterpartyId: null,
        purchased: kind === 'NovaGranted' ? 0n : purchased,
        earned,
      };
    },
  );

/** What an admin may grant on a day. */
const cap = fc.constantFrom(0n, 1_000n, 200_000n, 2n ** 62n);

type Arbitraries = { readonly [T in LedgerCommandType]: fc.Arbitrary<CommandOf<T>> };

const settle = fc.oneof(
  fc.record({ type: fc.constant('SettleChatPayment' as const), chatId, outcome: fc.constant('success' as const) }),
  fc.record({
    type: fc.constant('SettleChatPayment' as const),
    chatId,
    outcome: fc.constant('broken-off' as const),
    due: fc.oneof(fc.bigInt(0n, 60n), amount),
  }),
);

const BY_TYPE: Arbitraries = {
  RecordPurchase: fc.record({
    type: fc.constant('RecordPurchase'),
    userId: member,
    amount,
    paymentIntentId: fc.constant('pi_1'),
    chargedCents: fc.nat(10_000),
    livemode: fc.boolean(),
  }),
  ReversePurchase: fc.record({
    type: fc.constant('ReversePurchase'),
    userId: member,
    // Now and then more than anybody has: a shortfall.
    amount: fc.oneof({ weight: 3, arbitrary: amount }, { weight: 1, arbitrary: fc.constant(2_000_000n) }),
    paymentIntentId: fc.constant('pi_1'),
    reversalId: fc.constant('re_1'),
    reason: fc.constantFrom('refund', 'dispute'),
  }),
  ReinstatePurchase: fc.record({
    type: fc.constant('ReinstatePurchase'),
    userId: member,
    paymentIntentId: fc.constant('pi_1'),
    reversalId: fc.constant('re_1'),
    reason: fc.constantFrom('refund', 'dispute'),
    originalId: fc.constant('event-1'),
    originalRevision: fc.constantFrom(0, 5, 5, 5, -1, Number.MAX_SAFE_INTEGER),
    adminId: fc.constant('admin'),
    amount: fc.oneof(amount, fc.constant(2_000_000n)),
    purchased: fc.oneof(fc.constant(0n), amount),
    earned: fc.oneof(fc.constant(0n), amount),
    repaid: fc.oneof({ weight: 2, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: amount }),
  }),
  RepayShortfall: fc.record({
    type: fc.constant('RepayShortfall'),
    userId: member,
    reversalId: fc.constant('re_1'),
  }),
  WriteOffShortfall: fc.record({
    type: fc.constant('WriteOffShortfall'),
    userId: member,
    reversalId: fc.constant('re_1'),
    adminId: fc.constant('admin'),
  }),
  FreezeSpending: fc.record({
    type: fc.constant('FreezeSpending'),
    userId: member,
    disputeId: fc.constantFrom(...DISPUTES),
  }),
  UnfreezeSpending: fc.record({
    type: fc.constant('UnfreezeSpending'),
    userId: member,
    disputeId: fc.constantFrom(...DISPUTES, null),
  }),
  SendGift: fc.record(
    {
      type: fc.constant('SendGift'),
      senderId: member,
      recipientId: member,
      amount: fc.bigInt(99_990n, 150_000n),
      via,
    },
    { requiredKeys: ['type', 'senderId', 'recipientId', 'amount'] },
  ),
  PayForCard: fc.record({
    type: fc.constant('PayForCard'),
    kind: fc.constantFrom('unlock', 'upvote', 'navigate', 'wall', 'scroll'),
    senderId: member,
    recipientId: member,
    subjectId: fc.constant('subject'),
    amount,
  }),
  HoldChatPayment: fc.record({
    type: fc.constant('HoldChatPayment'),
    chatId,
    initiatorId: member,
    hostId: member,
    amount,
  }),
  RefundChatPayment: fc.record({
    type: fc.constant('RefundChatPayment'),
    chatId,
    reason: fc.constantFrom(...REFUND_REASONS),
  }),
  SettleChatPayment: settle,
  ReleaseChatReward: fc.record({
    type: fc.constant('ReleaseChatReward'),
    chatId,
    side: fc.constantFrom('host', 'initiator'),
  }),
  MintKarma: fc.record({
    type: fc.constant('MintKarma'),
    userId: member,
    completedChats: fc.constantFrom(5, 10, 10, 15, 7, 0),
  }),
  GrantThreadShare: fc.record({ type: fc.constant('GrantThreadShare'), hostId: member, userId: member, chatId }),
  CollectRewards: fc.record({ type: fc.constant('CollectRewards'), userId: member }),
  ClaimQuestReward: fc.record({
    type: fc.constant('ClaimQuestReward'),
    userId: member,
    questId: fc.constant('quest-1'),
    amount,
  }),
  GrantNova: fc.record(
    { type: fc.constant('GrantNova'), userId: member, adminId: fc.constant('admin'), amount, dailyLimit: cap },
    { requiredKeys: ['type', 'userId', 'adminId', 'amount'] },
  ),
  DeductNova: fc.record({ type: fc.constant('DeductNova'), userId: member, adminId: fc.constant('admin'), amount }),
  GrantNovaInBulk: fc.record(
    {
      type: fc.constant('GrantNovaInBulk'),
      adminId: fc.constant('admin'),
      grants: fc.array(fc.record({ userId: member, amount }), { maxLength: 4 }),
      dailyLimit: cap,
    },
    { requiredKeys: ['type', 'adminId', 'grants'] },
  ),
  ClosePeriod: fc.record({
    type: fc.constant('ClosePeriod'),
    endsAt: fc.constantFrom(0, 1, -1, Number.MAX_SAFE_INTEGER),
  }),
  BeginSigning: fc.record({
    type: fc.constant('BeginSigning'),
    journal: fc.constantFrom('0'.repeat(32), 'a'.repeat(32), 'A'.repeat(32)),
    publicKey: fc.constantFrom('1'.repeat(64), '2'.repeat(64), '1'),
  }),
  ChangeSigningKey: fc.record({
    type: fc.constant('ChangeSigningKey'),
    publicKey: fc.constantFrom('1'.repeat(64), '2'.repeat(64), '1'),
    proof: fc.constantFrom('x'.repeat(86), 'x'),
  }),
  BurnTokens: fc.record({
    type: fc.constant('BurnTokens'),
    userId: member,
    earnedNova: fc.oneof(fc.constant(0n), amount),
    karma: tokens,
    influence: tokens,
  }),
  FundAppWallet: fc
    .tuple(application, amount)
    .map(([app, sum]) => ({ type: 'FundAppWallet' as const, ...app, amount: sum })),
  WithdrawAppWallet: fc
    .tuple(application, amount)
    .map(([app, sum]) => ({ type: 'WithdrawAppWallet' as const, ...app, amount: sum })),
  SpendAppTokens: fc.record({ type: fc.constant('SpendAppTokens'), userId: member, amount, via }),
  EarnAppTokens: fc.record({ type: fc.constant('EarnAppTokens'), clientId, userId: member, amount }),
  EarnAppTokensInBulk: fc.record({
    type: fc.constant('EarnAppTokensInBulk'),
    clientId,
    payments: fc.array(fc.record({ userId: member, amount }), { maxLength: 3 }),
  }),
  ReverseMovement: fc
    .tuple(anOriginal, fc.boolean())
    .map(([original, partly]) => ({ ...original, adminId: 'admin', partly })),
  CloseAccount: fc.record({ type: fc.constant('CloseAccount'), userId: member }),
  FinishClosingAccount: fc.record({ type: fc.constant('FinishClosingAccount'), userId: member }),
};

/** How often each command occurs: commands that keep the ledger busy occur more often than commands that end things. */
const WEIGHTS: Partial<Record<LedgerCommandType, number>> = {
  PayForCard: 5,
  SendGift: 3,
  HoldChatPayment: 6,
  SettleChatPayment: 8,
  ReleaseChatReward: 8,
  MintKarma: 3,
  GrantThreadShare: 3,
  BurnTokens: 2,
  RecordPurchase: 3,
  ReversePurchase: 2,
  ReinstatePurchase: 2,
  // Rarely accepted: only while the member owes something.
  RepayShortfall: 12,
  WriteOffShortfall: 4,
  ChangeSigningKey: 3,
  FundAppWallet: 2,
  WithdrawAppWallet: 2,
  EarnAppTokens: 2,
  EarnAppTokensInBulk: 2,
  ReverseMovement: 5,
  // Seldom enough to leave members spending, often enough that what was frozen is freed in every run of a property.
  FreezeSpending: 2,
  UnfreezeSpending: 4,
  // Rarely accepted: only for accounts that are being closed and have nothing open.
  FinishClosingAccount: 4,
};

export const COMMAND_TYPES = Object.keys(BY_TYPE) as readonly LedgerCommandType[];

export const anyCommand: fc.Arbitrary<LedgerCommand> = fc.oneof(
  ...Object.entries(BY_TYPE).map(([type, arbitrary]) => ({
    weight: 2 * (WEIGHTS[type as LedgerCommandType] ?? 1),
    arbitrary: arbitrary as fc.Arbitrary<LedgerCommand>,
  })),
);

export interface Step {
  readonly command: LedgerCommand;
  readonly waitMs: number;
}

/** Time passes by nothing, a little, or most of a day. */
export const anyStep: fc.Arbitrary<Step> = fc.record({
  command: anyCommand,
  waitMs: fc.constantFrom(0, 0, 1, 1_000, 40_000_000),
});

/**
 * The beginning of every history: everybody has Nova of both kinds, two mostly purchased and two mostly earned; shares
 * exist.
 */
export const OPENING: readonly LedgerCommand[] = [
  ...MEMBERS.flatMap((userId): LedgerCommand[] => [
    {
      type: 'RecordPurchase',
      userId,
      amount: userId < 'c' ? 300_001n : 157n,
      paymentIntentId: 'pi_0',
      chargedCents: 240,
      livemode: false,
    },
    { type: 'GrantNova', userId, adminId: 'admin', amount: userId < 'c' ? 1_003n : 300_002n },
  ]),
  { type: 'MintKarma', userId: 'ann', completedChats: 5 },
  { type: 'MintKarma', userId: 'ben', completedChats: 5 },
  { type: 'GrantThreadShare', hostId: 'cat', userId: 'dan', chatId: 'c0' },
];

export const history = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc
    .array(anyStep, { minLength: 1, maxLength, size: 'max' })
    .map((steps) => [...OPENING.map((command) => ({ command, waitMs: 0 })), ...steps]);
