import { carryOver } from '../../finance/general-ledger/posting-rules.js';
import { novaText } from '../../money/money.js';
import type { LedgerState } from '../state.js';
import { MEMBER_PAYMENT_FIELDS, payMember, type MemberPayment } from './member-payment.js';
import { COUNTS_NOWHERE, type EventRules, type Movement, type RowRules, type Ruling } from './movement.js';

export interface PayForCard {
  readonly type: 'PayForCard';
  readonly kind: 'unlock' | 'upvote' | 'navigate' | 'wall' | 'scroll';
  readonly senderId: string;
  readonly recipientId: string;
  readonly subjectId: string;
  readonly amount: bigint;
}

/** `subjectId`: the card's owner (unlock, upvote, navigate), the comment (wall), the post (scroll). */
interface CardPayment<T extends string> extends MemberPayment<T> {
  readonly subjectId: string;
}
export type CardUnlocked = CardPayment<'CardUnlocked'>;
export type CardUpvoted = CardPayment<'CardUpvoted'>;
export type CardNavigated = CardPayment<'CardNavigated'>;
export type WallCommentPaid = CardPayment<'WallCommentPaid'>;
export type FeedScrolled = CardPayment<'FeedScrolled'>;

type RowType =
  | 'card_unlock_send'
  | 'card_unlock_receive'
  | 'card_upvote_send'
  | 'card_upvote_receive'
  | 'card_navigate_send'
  | 'card_navigate_receive'
  | 'wall_comment_send'
  | 'wall_comment_receive'
  | 'feed_scroll_send'
  | 'feed_scroll_receive';

const EVENTS = {
  unlock: 'CardUnlocked',
  upvote: 'CardUpvoted',
  navigate: 'CardNavigated',
  wall: 'WallCommentPaid',
  scroll: 'FeedScrolled',
} as const;

function payForCard(state: LedgerState, command: PayForCard): Ruling {
  const { senderId, recipientId, subjectId, amount, kind } = command;
  return payMember(state, command, (shares, entries) => ({
    type: EVENTS[kind],
    senderId,
    recipientId,
    amount,
    ...shares,
    subjectId,
    entries,
  }));
}

/** The five differ only in their wording. */
interface Words {
  readonly kind: PayForCard['kind'];
  readonly verb: string;
  readonly send: RowType;
  readonly receive: RowType;
}

const paidForCard = <T extends string>({
  kind,
  verb,
  send,
  receive,
}: Words): EventRules<CardPayment<T>, PayForCard, RowType> => ({
  fields: { ...MEMBER_PAYMENT_FIELDS, subjectId: 'text' },
  effect: null,
  posts: carryOver,
  cameFrom: ({ senderId, recipientId, subjectId, amount }) => ({
    type: 'PayForCard',
    kind,
    senderId,
    recipientId,
    subjectId,
    amount,
  }),
  onceOnly: null,
  sentence: ({ senderId, recipientId, amount }, { member }) =>
    `${member(senderId)} ${verb} ${member(recipientId)} for ${novaText(amount)}`,
  statementRows: ({ senderId, recipientId, subjectId: subject }, userId) =>
    userId === senderId
      ? [{ type: send, counterpartyId: recipientId, subject }]
      : [{ type: receive, counterpartyId: senderId, subject }],
  ...COUNTS_NOWHERE,
});

const sent = (words: string): RowRules => ({ words: ({ party }) => `${words} ${party}`, earnedFromOthers: false });
const received = (words: string): RowRules => ({ words: ({ party }) => `${words} ${party}`, earnedFromOthers: true });

/** A member's payment for something on another member's card, wall or feed (rule discovery-13). */
export const cardPayment: Movement<
  PayForCard,
  CardUnlocked | CardUpvoted | CardNavigated | WallCommentPaid | FeedScrolled,
  RowType
> = {
  commands: { PayForCard: payForCard },
  events: {
    CardUnlocked: {
      ...paidForCard({
        kind: 'unlock',
        verb: 'unlocked the card of',
        send: 'card_unlock_send',
        receive: 'card_unlock_receive',
      }),
      onceOnly: ({ subjectId, senderId }) => `card ${subjectId} unlocked by ${senderId}`,
    },
    CardUpvoted: paidForCard({
      kind: 'upvote',
      verb: 'upvoted the card of',
      send: 'card_upvote_send',
      receive: 'card_upvote_receive',
    }),
    CardNavigated: paidForCard({
      kind: 'navigate',
      verb: 'visited the profile of',
      send: 'card_navigate_send',
      receive: 'card_navigate_receive',
    }),
    WallCommentPaid: {
      ...paidForCard({
        kind: 'wall',
        verb: 'commented on the wall of',
        send: 'wall_comment_send',
        receive: 'wall_comment_receive',
      }),
      onceOnly: ({ subjectId }) => `wall comment ${subjectId}`,
    },
    FeedScrolled: {
      ...paidForCard({
        kind: 'scroll',
        verb: 'viewed a post of',
        send: 'feed_scroll_send',
        receive: 'feed_scroll_receive',
      }),
      onceOnly: ({ subjectId, senderId }) => `post ${subjectId} scrolled by ${senderId}`,
    },
  },
  rows: {
    card_unlock_send: sent('Unlocked the card of'),
    card_unlock_receive: received('Card unlocked by'),
    card_upvote_send: sent('Upvoted the card of'),
    card_upvote_receive: received('Card upvoted by'),
    card_navigate_send: sent('Navigated the card of'),
    card_navigate_receive: received('Card navigated by'),
    wall_comment_send: sent('Comment on the wall of'),
    wall_comment_receive: received('Wall comment by'),
    feed_scroll_send: sent('Viewed a post of'),
    feed_scroll_receive: received('Post viewed by'),
  },
};
