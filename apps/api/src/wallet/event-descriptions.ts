import type { LedgerEvent } from '@app/domain';
import { novaText as nova } from './nova-amount.js';

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

/** The application that took part in an event. */
export const applicationOf = (event: LedgerEvent): string | undefined =>
  'clientId' in event ? event.clientId : undefined;

/** Names for ids, those of erased members and applications included. */
export interface EventNames {
  readonly member: (id: string) => string;
  readonly application: (clientId: string) => string;
}

/** One sentence of what an event did, whoever looks at it. Names are rendered on reading (`ledger.md`, Privacy). */
export function describeEvent(event: LedgerEvent, { member: nameOf, application }: EventNames): string {
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
    case 'SigningBegan':
      return 'The journal was signed from here on';
    case 'SigningKeyChanged':
      return 'The key that signs the journal was changed';
    case 'SpendingUnfrozen':
      return `Spending of ${nameOf(event.userId)} was allowed again`;
    case 'GiftSent': {
      const through = event.clientId === undefined ? '' : ` through ${application(event.clientId)}`;
      return `${nameOf(event.senderId)} sent a gift of ${nova(event.amount)} to ${nameOf(event.recipientId)}${through}`;
    }
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
      return `${nova(event.amount)} ${AMOUNT_VERBS[event.type]} ${nameOf(event.userId)}`;
    case 'AppWalletFunded':
    case 'AppWalletWithdrawn':
    case 'AppTokensSpent':
    case 'AppTokensEarned':
      return `${nameOf(event.userId)} ${APP_VERBS[event.type](nova(event.amount), application(event.clientId))}`;
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
} as const;

const APP_VERBS = {
  AppWalletFunded: (amount: string, application: string) => `put ${amount} into the wallet of ${application}`,
  AppWalletWithdrawn: (amount: string, application: string) => `took ${amount} out of the wallet of ${application}`,
  AppTokensSpent: (amount: string, application: string) => `spent ${amount} at ${application}`,
  AppTokensEarned: (amount: string, application: string) => `received ${amount} from ${application}`,
} as const;
