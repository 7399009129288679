import { accountOwner, type LedgerEvent, type PoolName } from '@app/domain';
import type { Posting } from '../runner/postings.js';

/** The kinds of a statement's rows (S1 §3 Nova transaction; `decisions.md`, Statement). */
export const STATEMENT_TYPES = [
  'purchase',
  'purchase_refund',
  'gift_send',
  'gift_receive',
  'card_unlock_send',
  'card_unlock_receive',
  'card_upvote_send',
  'card_upvote_receive',
  'card_navigate_send',
  'card_navigate_receive',
  'wall_comment_send',
  'wall_comment_receive',
  'feed_scroll_send',
  'feed_scroll_receive',
  'chat_initiate',
  'chat_refund',
  'chat_receive',
  'influence_reward',
  'karma_reward',
  'thread_reward',
  'quest_reward',
  'admin_grant',
  'admin_deduct',
  'burn',
  'app_wallet_fund',
  'app_wallet_withdraw',
  'app_spend',
  'app_earn',
  'account_closed',
] as const;
export type StatementType = (typeof STATEMENT_TYPES)[number];

/** What members earn from others (S1 §2.7 Activity): pay for chats, and their halves of gifts, of cards and of posts. */
const EARNED_FROM_OTHERS: ReadonlySet<StatementType> = new Set<StatementType>([
  'chat_receive',
  'gift_receive',
  'card_unlock_receive',
  'card_upvote_receive',
  'card_navigate_receive',
  'wall_comment_receive',
  'feed_scroll_receive',
]);

export const isEarnedFromOthers = (type: StatementType): boolean => EARNED_FROM_OTHERS.has(type);

/** One change of a member's purchased + earned Nova. */
export interface Movement {
  readonly userId: string;
  readonly type: StatementType;
  /** Minor units, signed from the member's side. */
  readonly amount: bigint;
  /** The member on the other side. */
  readonly counterpartyId: string | null;
  /** What it was about: a payment intent, chat, card, comment, post, quest, pool or admin. */
  readonly subject: string | null;
  /** The OAuth application that took part. */
  readonly clientId: string | null;
  /** What else was to be taken and was no longer there, in minor units. */
  readonly shortfall: bigint;
}

/** Who a chat was between; known for every chat that was settled in full before its rewards are released. */
export type ChatParties = (chatId: string) => { readonly initiatorId: string; readonly hostId: string } | undefined;

type Meaning = Pick<Movement, 'type'> & Partial<Pick<Movement, 'counterpartyId' | 'subject' | 'clientId'>>;

/**
 * The rows that an event adds to statements: amounts from its entries (so that rows always add up to the balances), the rest
 * from its meaning. A reversal that took less than it reverses says so beside. Pending and held Nova are no part of a balance:
 * moving them gives a row only where purchased or earned Nova changes.
 */
export function movements(event: LedgerEvent, postings: readonly Posting[], partiesOf: ChatParties): Movement[] {
  if (event.type === 'PoolRewardsPaid')
    return event.payouts.flatMap(([pool, amount]) => payout(event.userId, pool, amount));
  const rows: Movement[] = [];
  const nets = netByMember(postings);
  // A reversal is shown also where nothing was left to take.
  if (event.type === 'PurchaseReversed' && nets.length === 0) nets.push([event.userId, 0n]);
  for (const [userId, amount] of nets) {
    const shortfall = event.type === 'PurchaseReversed' ? event.shortfall : 0n;
    if (amount === 0n && shortfall === 0n) continue;
    const { type, counterpartyId = null, subject = null, clientId = null } = meaning(event, userId, partiesOf);
    rows.push({ userId, type, amount, counterpartyId, subject, clientId, shortfall });
  }
  return rows;
}

function payout(userId: string, pool: PoolName, amount: bigint): Movement[] {
  if (amount === 0n) return [];
  const row = { userId, amount, subject: pool, clientId: null, shortfall: 0n };
  if (pool === 'pool:influence') return [{ ...row, type: 'influence_reward', counterpartyId: null }];
  if (pool === 'pool:karma') return [{ ...row, type: 'karma_reward', counterpartyId: null }];
  return [{ ...row, type: 'thread_reward', counterpartyId: accountOwner(pool) }];
}

/** The change of purchased + earned of each member, in the order of the entries. */
function netByMember(postings: readonly Posting[]): [userId: string, amount: bigint][] {
  const nets: [string, bigint][] = [];
  for (const { account, delta } of postings) {
    const { member } = account;
    if (member?.balance !== 'purchased' && member?.balance !== 'earned') continue;
    const known = nets.find(([id]) => id === member.userId);
    if (known) known[1] += delta;
    else nets.push([member.userId, delta]);
  }
  return nets;
}

const SPLIT_TYPES = {
  GiftSent: ['gift_send', 'gift_receive'],
  CardUnlocked: ['card_unlock_send', 'card_unlock_receive'],
  CardUpvoted: ['card_upvote_send', 'card_upvote_receive'],
  CardNavigated: ['card_navigate_send', 'card_navigate_receive'],
  WallCommentPaid: ['wall_comment_send', 'wall_comment_receive'],
  FeedScrolled: ['feed_scroll_send', 'feed_scroll_receive'],
} as const satisfies Record<string, readonly [StatementType, StatementType]>;

function meaning(event: LedgerEvent, userId: string, partiesOf: ChatParties): Meaning {
  switch (event.type) {
    case 'NovaPurchased':
      return { type: 'purchase', subject: event.paymentIntentId };
    case 'PurchaseReversed':
      return { type: 'purchase_refund', subject: event.paymentIntentId };
    case 'GiftSent':
    case 'CardUnlocked':
    case 'CardUpvoted':
    case 'CardNavigated':
    case 'WallCommentPaid':
    case 'FeedScrolled': {
      const [send, receive] = SPLIT_TYPES[event.type];
      const about = event.type === 'GiftSent' ? { clientId: event.clientId ?? null } : { subject: event.subjectId };
      if (userId === event.senderId) return { type: send, counterpartyId: event.recipientId, ...about };
      return { type: receive, counterpartyId: event.senderId, ...about };
    }
    case 'ChatPaymentHeld':
      return { type: 'chat_initiate', counterpartyId: event.hostId, subject: event.chatId };
    case 'ChatPaymentRefunded':
      return { type: 'chat_refund', counterpartyId: event.hostId, subject: event.chatId };
    case 'ChatPaymentSettled':
      if (userId === event.hostId) {
        return { type: 'chat_receive', counterpartyId: event.initiatorId, subject: event.chatId };
      }
      return { type: 'chat_refund', counterpartyId: event.hostId, subject: event.chatId };
    case 'ChatRewardReleased':
      return {
        type: 'chat_receive',
        counterpartyId: partiesOf(event.chatId)?.initiatorId ?? null,
        subject: event.chatId,
      };
    case 'QuestRewardClaimed':
      return { type: 'quest_reward', subject: event.questId };
    case 'NovaGranted':
      return { type: 'admin_grant', subject: event.adminId };
    case 'NovaDeducted':
      return { type: 'admin_deduct', subject: event.adminId };
    case 'TokensBurned':
      return { type: 'burn' };
    case 'AppWalletFunded':
      return { type: 'app_wallet_fund', clientId: event.clientId };
    case 'AppWalletWithdrawn':
      return { type: 'app_wallet_withdraw', clientId: event.clientId };
    case 'AppTokensSpent':
      return { type: 'app_spend', clientId: event.clientId };
    case 'AppTokensEarned':
      return { type: 'app_earn', clientId: event.clientId };
    case 'AccountClosed':
      return { type: 'account_closed' };
    case 'SpendingFrozen':
    case 'SpendingUnfrozen':
    case 'KarmaMinted':
    case 'ThreadShareGranted':
    case 'PoolRewardsPaid':
    case 'AccountClosing':
    case 'PeriodClosed':
    case 'SigningBegan':
    case 'SigningKeyChanged':
      break;
  }
  throw new Error(`${event.type} at ${event.at} moves Nova of ${userId}: this has no place in a statement`);
}
