import {
  addDecaying,
  CARD_HALF_LIFE_MS,
  type MemberRating,
  nextRating,
  RATING_SHOWN_BY_DEFAULT,
  shownMemberRating,
} from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { type Cached, CachedTable } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';
import {
  bigint,
  double,
  hundredths,
  integer,
  nullable,
  type RowOf,
  safeInteger,
  Table,
  tablesOf,
  text,
  timestamp,
} from '../tables/table.js';
import { cardPayment, type CardPayment } from './card-payments.js';

/** The values that order the cards, and the cards' figures. Amounts in minor units. */
const cardTable = new Table('cards', {
  columns: {
    userId: text,
    /** Nova received on the card, decaying: see `addDecaying`. */
    heat: nullable(double),
    novaReceived: bigint,
    shownRating: hundredths,
    ratingMean: nullable(double),
    ratingCount: integer,
    followers: integer,
    following: integer,
    wallCount: integer,
  },
  key: ['userId'],
  fillfactor: 70,
  indexes: { cards_order: '(heat desc nulls last, shown_rating desc, user_id desc)' },
});
type Card = Omit<RowOf<typeof cardTable>, 'userId'>;

const cardUnlock = new Table('card_unlocks', {
  columns: { viewerId: text, ownerId: text, cause: nullable(text), at: timestamp },
  indexes: { card_unlocks_pair: '(viewer_id, owner_id)' },
});

const wall = new Table('wall', {
  columns: {
    commentId: text,
    ownerId: text,
    commenterId: text,
    amount: bigint,
    revision: safeInteger,
    at: timestamp,
  },
  indexes: { wall_owner: '(owner_id, revision desc)' },
});

const NONE: Card = {
  heat: null,
  novaReceived: 0n,
  shownRating: RATING_SHOWN_BY_DEFAULT,
  ratingMean: null,
  ratingCount: 0,
  followers: 0,
  following: 0,
  wallCount: 0,
};

/**
 * Profile cards as discovery orders them (rule discovery-9): a row for every member with any event, who has unlocked
 * whose card, and the paid comments of the walls.
 */
export const cards: ReadModel = {
  name: 'cards',
  version: 1,
  streamPrefixes: ['ledger', 'chat-', 'user-', 'moderation-'],
  ...tablesOf(cardTable, cardUnlock, wall),
  createApplier: (options) => new CardsApplier(options),
};

class CardsApplier implements ReadModelApplier {
  private readonly cards: Cached<typeof cardTable>;
  private readonly unlocks = new AppendTable(cardUnlock);
  private readonly wall = new AppendTable(wall);

  constructor(options: ApplierOptions) {
    this.cards = new CachedTable(cardTable, options);
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    await this.cards.load(client, events.flatMap(membersOf));
    for (const event of events) this.take(event);
    await writeTables(client, [this.cards, this.unlocks, this.wall], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.cards, this.unlocks, this.wall], 'all');
  }

  private take({ ledger, chat, member, moderation, recorded, time }: ProjectedEvent): void {
    const payment = cardPayment(ledger);
    if (payment) this.pay(payment, recorded.revision, time);
    if (chat?.type === 'ChatRated') this.rate(chat.ratedId, (before) => nextRating(before, chat.rating));
    if (moderation?.type === 'MemberRatingChanged') {
      this.rate(moderation.targetId, ({ count }) => ({ value: moderation.rating, count }));
    }
    if (member?.type === 'MemberFollowed') this.follow(member.memberId, member.otherId, 1);
    if (member?.type === 'MemberUnfollowed') this.follow(member.memberId, member.otherId, -1);
  }

  private pay(payment: CardPayment, revision: number, time: string): void {
    const { type, senderId, recipientId, recipientShare, subjectId, amount, cause = null, at } = payment;
    const onWall = type === 'WallCommentPaid';
    if (type === 'CardUnlocked') {
      this.unlocks.add({ viewerId: senderId, ownerId: recipientId, cause, at: time });
    }
    if (onWall) {
      const comment = { commentId: subjectId, ownerId: recipientId, commenterId: senderId };
      this.wall.add({ ...comment, amount, revision, at: time });
    }
    const added = { amount: Number(recipientShare), atMs: at, halfLifeMs: CARD_HALF_LIFE_MS };
    this.change(recipientId, ({ heat, novaReceived, wallCount }) => ({
      heat: addDecaying(heat, added),
      novaReceived: novaReceived + recipientShare,
      wallCount: wallCount + (onWall ? 1 : 0),
    }));
  }

  private rate(userId: string, next: (before: MemberRating) => MemberRating): void {
    this.change(userId, ({ ratingMean, ratingCount }) => {
      const { value, count } = next({ value: ratingMean, count: ratingCount });
      const shownRating = value === null ? RATING_SHOWN_BY_DEFAULT : shownMemberRating(value);
      return { shownRating, ratingMean: value, ratingCount: count };
    });
  }

  private follow(followerId: string, followedId: string, delta: 1 | -1): void {
    this.change(followerId, ({ following }) => ({ following: following + delta }));
    this.change(followedId, ({ followers }) => ({ followers: followers + delta }));
  }

  private change(userId: string, changes: (card: Card) => Partial<Card>): void {
    const card = this.cards.get(userId) ?? NONE;
    this.cards.set(userId, { ...card, ...changes(card) });
  }
}

function membersOf({ ledger, chat, member, moderation }: ProjectedEvent): string[] {
  if (moderation) return [moderation.targetId];
  if (chat?.type === 'ChatRated') return [chat.ratedId];
  if (member) return [member.memberId, member.otherId];
  const payment = cardPayment(ledger);
  return payment ? [payment.recipientId] : [];
}
