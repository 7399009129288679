import { Money, type LedgerEvent } from '@app/domain';

const nova = (minor: bigint): string => `${Money.ofMinor(minor).toString().replace(/\.00$/, '')} Nova`;

const MEMBER_FIELDS: ReadonlySet<string> = new Set([
  'userId',
  'senderId',
  'recipientId',
  'initiatorId',
  'hostId',
  'adminId',
]);

/** The ids of the members that an event names. */
export function membersOf(event: LedgerEvent): string[] {
  const ids: string[] = [];
  for (const [field, value] of Object.entries(event)) {
    if (MEMBER_FIELDS.has(field) && typeof value === 'string') ids.push(value);
  }
  return ids;
}

/** One sentence of what an event did, whoever looks at it. Names are rendered on reading (`ledger.md`, Privacy). */
export function describeEvent(event: LedgerEvent, nameOf: (memberId: string) => string): string {
  switch (event.type) {
    case 'NovaPurchased':
      return `${nameOf(event.userId)} bought ${nova(event.amount)}`;
    case 'PurchaseReversed': {
      const how = event.reason === 'refund' ? 'were refunded' : 'were charged back';
      return `${nova(event.amount)} of a purchase by ${nameOf(event.userId)} ${how}`;
    }
    case 'SpendingFrozen':
      return `Spending of ${nameOf(event.userId)} was paused by a payment dispute`;
    case 'PeriodClosed':
      return `The books up to ${new Date(event.endsAt).toISOString()} were closed`;
    case 'SpendingUnfrozen':
      return `Spending of ${nameOf(event.userId)} was allowed again`;
    case 'GiftSent':
      return `${nameOf(event.senderId)} sent a gift of ${nova(event.amount)} to ${nameOf(event.recipientId)}`;
    case 'CardUnlocked':
    case 'CardUpvoted':
    case 'CardNavigated':
    case 'WallCommentPaid':
    case 'FeedScrolled':
      return `${nameOf(event.senderId)} ${CARD_VERBS[event.type]} ${nameOf(event.recipientId)} for ${nova(event.amount)}`;
    case 'ChatPaymentHeld':
      return `${nameOf(event.initiatorId)} paid ${nova(event.amount)} for a chat with ${nameOf(event.hostId)}`;
    case 'ChatPaymentRefunded':
      return `${nova(event.amount)} for a chat with ${nameOf(event.hostId)} went back to ${nameOf(event.initiatorId)}`;
    case 'ChatPaymentSettled':
      return `${nova(event.paid)} for a chat of ${nameOf(event.initiatorId)} with ${nameOf(event.hostId)} were shared out`;
    case 'ThreadShareGranted':
      return `${nameOf(event.userId)} gained a share in the thread of ${nameOf(event.hostId)}`;
    case 'PoolRewardsPaid':
      return `Rewards were credited to ${nameOf(event.userId)}`;
    case 'ChatRewardReleased':
    case 'KarmaMinted':
    case 'TokensBurned':
    case 'AccountClosing':
    case 'AccountClosed':
      return `${nameOf(event.userId)} ${MEMBER_VERBS[event.type]}`;
    case 'QuestRewardClaimed':
    case 'NovaGranted':
    case 'NovaDeducted':
    case 'AppWalletFunded':
    case 'AppWalletWithdrawn':
    case 'AppTokensSpent':
    case 'AppTokensEarned':
      return `${nova(event.amount)} ${AMOUNT_VERBS[event.type]} ${nameOf(event.userId)}`;
  }
}

const CARD_VERBS = {
  CardUnlocked: 'unlocked the card of',
  CardUpvoted: 'upvoted the card of',
  CardNavigated: 'visited the profile of',
  WallCommentPaid: 'commented on the wall of',
  FeedScrolled: 'viewed a post of',
} as const;

const MEMBER_VERBS = {
  ChatRewardReleased: 'got the reward of a chat',
  KarmaMinted: 'earned one Karma',
  TokensBurned: 'burned tokens for Seyvn',
  AccountClosing: 'is closing the account',
  AccountClosed: 'closed the account',
} as const;

const AMOUNT_VERBS = {
  QuestRewardClaimed: 'were claimed as a quest reward by',
  NovaGranted: 'were added by an admin to',
  NovaDeducted: 'were deducted by an admin from',
  AppWalletFunded: "were put into an application's wallet by",
  AppWalletWithdrawn: "were taken out of an application's wallet by",
  AppTokensSpent: 'were spent in an application by',
  AppTokensEarned: 'were earned in an application by',
} as const;
