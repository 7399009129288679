import type { CommandOf, LedgerCommand } from './commands.js';
import { REFUND_REASONS, type LedgerFact, type SigningScope } from './events.js';

/** A day's limit is not in an event: what was within it then is taken to have been. */
const UNLIMITED = 2n ** 62n;

const CARD_KINDS = {
  CardUnlocked: 'unlock',
  CardUpvoted: 'upvote',
  CardNavigated: 'navigate',
  WallCommentPaid: 'wall',
  FeedScrolled: 'scroll',
} as const satisfies Record<string, CommandOf<'PayForCard'>['kind']>;

const APP_COMMANDS = { AppWalletFunded: 'FundAppWallet', AppWalletWithdrawn: 'WithdrawAppWallet' } as const;

const isOneOf = (word: string, words: readonly string[]): boolean => words.includes(word);

/**
 * The command that an event, as it describes itself, can have come from. What pools pay first is an event of its own, as if it
 * had been collected; each row of a bulk is a grant.
 * @returns undefined where a field says what no command says
 */
// One list of events: shorter pieces would hide which event has no command.
// oxlint-disable-next-line max-lines-per-function
export function commandOf(event: LedgerFact): LedgerCommand | undefined {
  switch (event.type) {
    case 'NovaPurchased': {
      const { userId, amount, paymentIntentId, chargedCents, livemode } = event;
      return { type: 'RecordPurchase', userId, amount, paymentIntentId, chargedCents, livemode };
    }
    case 'PurchaseReversed': {
      const { userId, amount, paymentIntentId, reversalId, reason } = event;
      if (!isOneOf(reason, ['refund', 'dispute'])) return undefined;
      return { type: 'ReversePurchase', userId, amount, paymentIntentId, reversalId, reason };
    }
    case 'SpendingFrozen':
      return { type: 'FreezeSpending', userId: event.userId, disputeId: event.disputeId };
    case 'SpendingUnfrozen':
      return { type: 'UnfreezeSpending', userId: event.userId, disputeId: event.disputeId };
    case 'GiftSent': {
      const { senderId, recipientId, amount, clientId } = event;
      const via = clientId === undefined ? undefined : { clientId, ownerId: clientId, dailyLimit: UNLIMITED };
      return { type: 'SendGift', senderId, recipientId, amount, ...(via && { via }) };
    }
    case 'CardUnlocked':
    case 'CardUpvoted':
    case 'CardNavigated':
    case 'WallCommentPaid':
    case 'FeedScrolled': {
      const { type, senderId, recipientId, subjectId, amount } = event;
      return { type: 'PayForCard', kind: CARD_KINDS[type], senderId, recipientId, subjectId, amount };
    }
    case 'ChatPaymentHeld': {
      const { chatId, initiatorId, hostId, amount } = event;
      return { type: 'HoldChatPayment', chatId, initiatorId, hostId, amount };
    }
    case 'ChatPaymentRefunded':
      if (!isOneOf(event.reason, REFUND_REASONS)) return undefined;
      return { type: 'RefundChatPayment', chatId: event.chatId, reason: event.reason };
    case 'ChatPaymentSettled': {
      const { chatId, outcome, paid: due } = event;
      if (!isOneOf(outcome, ['success', 'broken-off'])) return undefined;
      if (outcome === 'success') return { type: 'SettleChatPayment', chatId, outcome };
      return { type: 'SettleChatPayment', chatId, outcome, due };
    }
    case 'ChatRewardReleased':
      if (!isOneOf(event.side, ['host', 'initiator'])) return undefined;
      return { type: 'ReleaseChatReward', chatId: event.chatId, side: event.side };
    case 'KarmaMinted':
      return { type: 'MintKarma', userId: event.userId, completedChats: event.completedChats };
    case 'ThreadShareGranted':
      return { type: 'GrantThreadShare', hostId: event.hostId, userId: event.userId, chatId: event.chatId };
    case 'PoolRewardsPaid':
      return { type: 'CollectRewards', userId: event.userId };
    case 'QuestRewardClaimed':
      return { type: 'ClaimQuestReward', userId: event.userId, questId: event.questId, amount: event.amount };
    case 'NovaGranted':
      return { type: 'GrantNova', userId: event.userId, adminId: event.adminId, amount: event.amount };
    case 'NovaDeducted':
      return { type: 'DeductNova', userId: event.userId, adminId: event.adminId, amount: event.amount };
    case 'TokensBurned': {
      const { userId, earnedNova, karma, influence } = event;
      return { type: 'BurnTokens', userId, earnedNova, karma, influence };
    }
    case 'AppWalletFunded':
    case 'AppWalletWithdrawn': {
      const { type, clientId, ownerId, amount } = event;
      return { type: APP_COMMANDS[type], clientId, ownerId, amount };
    }
    case 'AppTokensSpent': {
      const { clientId, ownerId, userId, amount } = event;
      return { type: 'SpendAppTokens', userId, amount, via: { clientId, ownerId, dailyLimit: UNLIMITED } };
    }
    case 'AppTokensEarned':
      return { type: 'EarnAppTokens', clientId: event.clientId, userId: event.userId, amount: event.amount };
    case 'AccountClosing':
      return { type: 'CloseAccount', userId: event.userId };
    case 'AccountClosed':
      return { type: 'FinishClosingAccount', userId: event.userId };
    case 'PeriodClosed':
      return { type: 'ClosePeriod', endsAt: event.endsAt };
    case 'SigningBegan':
      return { type: 'BeginSigning', journal: event.journal, publicKey: event.publicKey, ...scopeOf(event) };
    case 'SigningKeyChanged':
      return { type: 'ChangeSigningKey', publicKey: event.publicKey, proof: event.proof, ...scopeOf(event) };
  }
}

const scopeOf = ({ streams }: SigningScope): SigningScope => (streams ? { streams } : {});

/**
 * What an event may say only once in a journal, as a phrase; undefined for what may happen any number of times. These are the
 * facts that the product makes keys of (`ledger.md`, Keys), which a forged event would not carry.
 */
export function onceOnly(event: LedgerFact): string | undefined {
  switch (event.type) {
    case 'NovaPurchased':
      return `payment ${event.paymentIntentId}`;
    case 'PurchaseReversed':
      return `reversal ${event.reversalId}`;
    case 'SpendingFrozen':
      return `pause for dispute ${event.disputeId}`;
    case 'SpendingUnfrozen':
      return event.disputeId === null ? undefined : `end of the pause for dispute ${event.disputeId}`;
    case 'CardUnlocked':
      return `card ${event.subjectId} unlocked by ${event.senderId}`;
    case 'WallCommentPaid':
      return `wall comment ${event.subjectId}`;
    case 'FeedScrolled':
      return `post ${event.subjectId} scrolled by ${event.senderId}`;
    case 'ChatPaymentHeld':
      return `payment of chat ${event.chatId}`;
    case 'ChatPaymentRefunded':
    case 'ChatPaymentSettled':
      return `end of chat ${event.chatId}`;
    case 'ChatRewardReleased':
      return `reward of chat ${event.chatId} for its ${event.side}`;
    case 'KarmaMinted':
      return `Karma of ${event.userId} for ${event.completedChats} chats`;
    case 'ThreadShareGranted':
      return `share of ${event.userId} for chat ${event.chatId} with ${event.hostId}`;
    case 'QuestRewardClaimed':
      return `reward of quest ${event.questId} for ${event.userId}`;
    case 'AccountClosing':
      return `closing of account ${event.userId}`;
    case 'AccountClosed':
      return `end of account ${event.userId}`;
    case 'PeriodClosed':
      return `period up to ${event.endsAt}`;
    case 'SigningBegan':
      return `beginning of the signed journal ${event.journal}`;
    case 'GiftSent':
    case 'CardUpvoted':
    case 'CardNavigated':
    case 'PoolRewardsPaid':
    case 'NovaGranted':
    case 'NovaDeducted':
    case 'TokensBurned':
    case 'AppWalletFunded':
    case 'AppWalletWithdrawn':
    case 'AppTokensSpent':
    case 'AppTokensEarned':
    case 'SigningKeyChanged':
      return undefined;
  }
}
