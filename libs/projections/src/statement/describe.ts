import type { StatementRow } from './statement-row.js';

/** Names for a statement's ids, as the caller knows them. An erased member has none. */
export interface StatementNames {
  member(id: string): string | undefined;
  /** The name of an OAuth application by its client id. */
  application?(clientId: string): string | undefined;
}

export const DELETED_MEMBER = 'Deleted member';
export const ACCRUED_DESCRIPTION = 'Rewards not yet credited';
export const DELETED_APPLICATION = 'Deleted application';

/**
 * What a statement's row reads (S1 §3 Nova transaction, description). Made on reading: events and rows hold no names
 * (`ledger.md`, Privacy).
 */
export function renderDescription(
  row: Pick<StatementRow, 'type' | 'counterpartyId' | 'clientId'>,
  names: StatementNames,
): string {
  const { counterpartyId, clientId } = row;
  const party = (counterpartyId === null ? undefined : names.member(counterpartyId)) ?? DELETED_MEMBER;
  const application = (clientId === null ? undefined : names.application?.(clientId)) ?? DELETED_APPLICATION;
  const through = clientId === null ? '' : ` through ${application}`;
  switch (row.type) {
    case 'purchase':
      return 'Nova purchase';
    case 'purchase_refund':
      return 'Refund of a Nova purchase';
    case 'gift_send':
      return `Gift to ${party}${through}`;
    case 'gift_receive':
      return `Gift from ${party}${through}`;
    case 'card_unlock_send':
      return `Unlocked the card of ${party}`;
    case 'card_unlock_receive':
      return `Card unlocked by ${party}`;
    case 'card_upvote_send':
      return `Upvoted the card of ${party}`;
    case 'card_upvote_receive':
      return `Card upvoted by ${party}`;
    case 'card_navigate_send':
      return `Navigated the card of ${party}`;
    case 'card_navigate_receive':
      return `Card navigated by ${party}`;
    case 'wall_comment_send':
      return `Comment on the wall of ${party}`;
    case 'wall_comment_receive':
      return `Wall comment by ${party}`;
    case 'feed_scroll_send':
      return `Viewed a post of ${party}`;
    case 'feed_scroll_receive':
      return `Post viewed by ${party}`;
    case 'chat_initiate':
    case 'chat_receive':
      return `Chat with ${party}`;
    case 'chat_refund':
      return `Refund of a chat with ${party}`;
    case 'influence_reward':
      return 'Influence reward';
    case 'karma_reward':
      return 'Karma reward';
    case 'thread_reward':
      return `Thread reward from chats of ${party}`;
    case 'quest_reward':
      return 'Quest reward';
    case 'admin_grant':
      return 'Nova added by an admin';
    case 'admin_deduct':
      return 'Nova deducted by an admin';
    case 'burn':
      return 'Tokens burned for Seyvn';
    case 'app_wallet_fund':
      return `Funded the wallet of ${application}`;
    case 'app_wallet_withdraw':
      return `Withdrawn from the wallet of ${application}`;
    case 'app_spend':
      return `Spent at ${application}`;
    case 'app_earn':
      return `Received from ${application}`;
    case 'account_closed':
      break;
  }
  return 'Account closed';
}
