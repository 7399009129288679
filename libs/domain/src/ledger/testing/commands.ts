import type { AppSpendingContext, CommandOf, LedgerCommand } from '../commands.js';
import { decodeLedgerEvent } from '../codec.js';
import type { LedgerEventType, RefundReason } from '../events.js';
import { reversedPurchaseFacts } from '../movements/purchase.js';
import { originalFacts, type ReversibleType } from '../movements/reversal.js';
import type { StoredEvent } from './ledger-run.js';
import { Money } from '../../money/money.js';

/** Commands as scenarios name them: amounts are texts of Nova, like `1,250.50`. */
type CardKind = CommandOf<'PayForCard'>['kind'];

const nova = (amount: string): bigint => Money.parse(amount).minor;

export const bought = (userId: string, amount: string, paymentIntentId = `pi_${userId}`): LedgerCommand => ({
  type: 'RecordPurchase',
  userId,
  amount: nova(amount),
  paymentIntentId,
  chargedCents: 100,
  livemode: false,
});
export const reversed = (
  userId: string,
  amount: string,
  reason: 'refund' | 'dispute' = 'refund',
  reversalId = `re_${userId}`,
): LedgerCommand => ({
  type: 'ReversePurchase',
  userId,
  amount: nova(amount),
  paymentIntentId: `pi_${userId}`,
  reversalId,
  reason,
});
export const granted = (userId: string, amount: string): LedgerCommand => ({
  type: 'GrantNova',
  userId,
  adminId: 'admin',
  amount: nova(amount),
});
/** A grant by an admin who may grant so much on a day. */
export const cappedGrant = (userId: string, amount: string, dailyLimit: string, adminId = 'admin'): LedgerCommand => ({
  type: 'GrantNova',
  userId,
  adminId,
  amount: nova(amount),
  dailyLimit: nova(dailyLimit),
});
export const cappedBulk = (amounts: readonly string[], dailyLimit: string): LedgerCommand => ({
  type: 'GrantNovaInBulk',
  adminId: 'admin',
  grants: amounts.map((amount) => ({ userId: 'ann', amount: nova(amount) })),
  dailyLimit: nova(dailyLimit),
});
export const deducted = (userId: string, amount: string): LedgerCommand => ({
  type: 'DeductNova',
  userId,
  adminId: 'admin',
  amount: nova(amount),
});
export const questReward = (userId: string, amount: string): LedgerCommand => ({
  type: 'ClaimQuestReward',
  userId,
  questId: 'quest-1',
  amount: nova(amount),
});
export const frozen = (userId: string, disputeId = 'dp_1'): LedgerCommand => ({
  type: 'FreezeSpending',
  userId,
  disputeId,
});
export const unfrozen = (userId: string, disputeId: string | null = 'dp_1'): LedgerCommand => ({
  type: 'UnfreezeSpending',
  userId,
  disputeId,
});

export const gift = (
  senderId: string,
  recipientId: string,
  amount: string,
  via?: AppSpendingContext,
): LedgerCommand => ({
  type: 'SendGift',
  senderId,
  recipientId,
  amount: nova(amount),
  ...(via && { via }),
});
export const cardPayment = (
  kind: CardKind,
  senderId: string,
  recipientId: string,
  amount: string,
  subjectId = 'subject',
): LedgerCommand => ({ type: 'PayForCard', kind, senderId, recipientId, subjectId, amount: nova(amount) });

export const chatHeld = (chatId: string, initiatorId: string, hostId: string, amount: string): LedgerCommand => ({
  type: 'HoldChatPayment',
  chatId,
  initiatorId,
  hostId,
  amount: nova(amount),
});
export const chatRefunded = (chatId: string, reason: RefundReason = 'declined'): LedgerCommand => ({
  type: 'RefundChatPayment',
  chatId,
  reason,
});
export const chatSucceeded = (chatId: string): LedgerCommand => ({
  type: 'SettleChatPayment',
  chatId,
  outcome: 'success',
});
export const chatBrokenOff = (chatId: string, due: string): LedgerCommand => ({
  type: 'SettleChatPayment',
  chatId,
  outcome: 'broken-off',
  due: nova(due),
});
export const released = (chatId: string, side: 'host' | 'initiator'): LedgerCommand => ({
  type: 'ReleaseChatReward',
  chatId,
  side,
});

export const karmaMinted = (userId: string, completedChats = 5): LedgerCommand => ({
  type: 'MintKarma',
  userId,
  completedChats,
});
export const threadShared = (hostId: string, userId: string, chatId = 'chat-0'): LedgerCommand => ({
  type: 'GrantThreadShare',
  hostId,
  userId,
  chatId,
});
export const collected = (userId: string): LedgerCommand => ({ type: 'CollectRewards', userId });

export const burned = (
  userId: string,
  tokens: { earnedNova?: string; karma?: bigint; influence?: bigint },
): LedgerCommand => ({
  type: 'BurnTokens',
  userId,
  earnedNova: nova(tokens.earnedNova ?? '0'),
  karma: tokens.karma ?? 0n,
  influence: tokens.influence ?? 0n,
});

export const app = (ownerId: string, dailyLimit = '5,000', clientId = 'app-1'): AppSpendingContext => ({
  clientId,
  ownerId,
  dailyLimit: nova(dailyLimit),
});
export const walletFunded = (ownerId: string, amount: string, clientId = 'app-1'): LedgerCommand => ({
  type: 'FundAppWallet',
  clientId,
  ownerId,
  amount: nova(amount),
});
export const walletWithdrawn = (ownerId: string, amount: string, clientId = 'app-1'): LedgerCommand => ({
  type: 'WithdrawAppWallet',
  clientId,
  ownerId,
  amount: nova(amount),
});
export const appSpent = (userId: string, amount: string, via: AppSpendingContext): LedgerCommand => ({
  type: 'SpendAppTokens',
  userId,
  amount: nova(amount),
  via,
});
export const appPaid = (userId: string, amount: string, clientId = 'app-1'): LedgerCommand => ({
  type: 'EarnAppTokens',
  clientId,
  userId,
  amount: nova(amount),
});
export const appPaidInBulk = (
  payments: readonly (readonly [userId: string, amount: string, cause?: string])[],
  clientId = 'app-1',
): LedgerCommand => ({
  type: 'EarnAppTokensInBulk',
  clientId,
  payments: payments.map(([userId, amount, cause]) => ({
    userId,
    amount: nova(amount),
    ...(cause === undefined ? {} : { cause }),
  })),
});

export const closing = (userId: string): LedgerCommand => ({ type: 'CloseAccount', userId });
export const closed = (userId: string): LedgerCommand => ({ type: 'FinishClosingAccount', userId });

/** A chat that succeeded, for 0.01 Nova granted for it, and whose initiator has rated: one Influence for them. */
export const earnsInfluence = (userId: string, hostId = 'hub', chatId = `start-${userId}`): LedgerCommand[] => [
  granted(userId, '0.01'),
  chatHeld(chatId, userId, hostId, '0.01'),
  chatSucceeded(chatId),
  released(chatId, 'initiator'),
];

/** The command by which an admin reverses the last event of this type in a journal. */
export function reversalIn(
  journal: readonly StoredEvent[],
  type: ReversibleType,
  { partly = false, adminId = 'admin' } = {},
): CommandOf<'ReverseMovement'> {
  const { event, ...original } = lastOf(journal, type);
  const facts = originalFacts(event);
  if (!facts) throw new Error(`no ${type} can be reversed`);
  return { type: 'ReverseMovement', ...original, adminId, ...facts, partly };
}

/** The command by which an admin reinstates the purchase that a journal reversed last. */
export function reinstatementIn(journal: readonly StoredEvent[], repaid = 0n): CommandOf<'ReinstatePurchase'> {
  const { event, ...original } = lastOf(journal, 'PurchaseReversed');
  if (event.type !== 'PurchaseReversed') throw new Error('nothing was reversed');
  return { type: 'ReinstatePurchase', ...original, ...reversedPurchaseFacts(event), adminId: 'admin', repaid };
}

function lastOf(journal: readonly StoredEvent[], type: LedgerEventType) {
  const originalRevision = journal.findLastIndex((stored) => stored.type === type);
  const event = decodeLedgerEvent(type, journal[originalRevision]?.data ?? '');
  return { event, originalId: `event-${originalRevision}`, originalRevision };
}

export const shortfallRepaid = (userId: string, reversalId = `re_${userId}`): LedgerCommand => ({
  type: 'RepayShortfall',
  userId,
  reversalId,
});
export const shortfallWrittenOff = (userId: string, reversalId = `re_${userId}`): LedgerCommand => ({
  type: 'WriteOffShortfall',
  userId,
  reversalId,
  adminId: 'admin',
});
