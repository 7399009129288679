import {
  addDecaying,
  CARD_HALF_LIFE_MS,
  type MemberRating,
  nextRating,
  NOT_RATED,
  RATING_SHOWN_BY_DEFAULT,
  shownMemberRating,
} from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { CachedTable } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';
import { cardPayment, type CardPayment } from './card-payments.js';

/** What the order of the cards follows, and their figures. Amounts in minor units. */
interface CardFigures {
  /** Nova received on the card, decaying: see `addDecaying`. */
  readonly heat: number | null;
  readonly novaReceived: bigint;
  readonly rating: MemberRating;
  readonly followers: number;
  readonly following: number;
  readonly wallCount: number;
}

const NONE: CardFigures = {
  heat: null,
  novaReceived: 0n,
  rating: NOT_RATED,
  followers: 0,
  following: 0,
  wallCount: 0,
};

/**
 * Profile cards as discovery orders them (rule discovery-9): a row for every member whom anything happened to, who
 * has unlocked whose card, and the paid comments of the walls.
 */
export const cards: ReadModel = {
  name: 'cards',
  version: 1,
  streamPrefixes: ['ledger', 'chat-', 'user-', 'moderation-'],
  tables: ['cards', 'card_unlocks', 'wall'],
  ddl: `
    create table cards (
      user_id text collate "C" primary key,
      heat double precision,
      nova_received bigint not null,
      shown_rating numeric(4, 2) not null,
      rating_mean double precision,
      rating_count integer not null,
      followers integer not null,
      following integer not null,
      wall_count integer not null
    ) with (fillfactor = 70);
    create table card_unlocks (
      viewer_id text collate "C" not null,
      owner_id text collate "C" not null,
      cause text collate "C",
      at timestamptz not null
    );
    create table wall (
      comment_id text collate "C" not null,
      owner_id text collate "C" not null,
      commenter_id text collate "C" not null,
      amount bigint not null,
      revision bigint not null,
      at timestamptz not null
    );
  `,
  indexes: `
    create index cards_order on cards (heat desc nulls last, shown_rating desc, user_id desc);
    create index card_unlocks_pair on card_unlocks (viewer_id, owner_id);
    create index wall_owner on wall (owner_id, revision desc);
  `,
  createApplier: (options) => new CardsApplier(options),
};

class CardsApplier implements ReadModelApplier {
  private readonly cards: CachedTable<CardFigures>;
  private readonly unlocks = new AppendTable('card_unlocks', [
    ['viewer_id', 'text'],
    ['owner_id', 'text'],
    ['cause', 'text'],
    ['at', 'timestamptz'],
  ]);
  private readonly wall = new AppendTable('wall', [
    ['comment_id', 'text'],
    ['owner_id', 'text'],
    ['commenter_id', 'text'],
    ['amount', 'bigint'],
    ['revision', 'bigint'],
    ['at', 'timestamptz'],
  ]);

  constructor(options: ApplierOptions) {
    this.cards = new CachedTable({
      table: 'cards',
      key: [['user_id', 'text']],
      values: [
        ['heat', 'double precision'],
        ['nova_received', 'bigint'],
        ['shown_rating', 'numeric'],
        ['rating_mean', 'double precision'],
        ['rating_count', 'integer'],
        ['followers', 'integer'],
        ['following', 'integer'],
        ['wall_count', 'integer'],
      ],
      read: readFigures,
      cells: (card) => [
        card.heat,
        card.novaReceived,
        card.rating.value === null ? RATING_SHOWN_BY_DEFAULT : shownMemberRating(card.rating.value),
        card.rating.value,
        card.rating.count,
        card.followers,
        card.following,
        card.wallCount,
      ],
      ...options,
    });
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
    if (chat?.type === 'ChatRated') {
      const given = chat.rating;
      this.change(chat.ratedId, ({ rating }) => ({ rating: nextRating(rating, given) }));
    }
    if (moderation?.type === 'MemberRatingChanged') {
      const { targetId, rating: value } = moderation;
      this.change(targetId, ({ rating }) => ({ rating: { ...rating, value } }));
    }
    if (member?.type === 'MemberFollowed') this.follow(member.memberId, member.otherId, 1);
    if (member?.type === 'MemberUnfollowed') this.follow(member.memberId, member.otherId, -1);
  }

  private pay(payment: CardPayment, revision: number, time: string): void {
    const { type, senderId, recipientId, recipientShare, subjectId, amount, cause = null, at } = payment;
    const onWall = type === 'WallCommentPaid';
    if (type === 'CardUnlocked') this.unlocks.add([senderId, recipientId, cause, time]);
    if (onWall) this.wall.add([subjectId, recipientId, senderId, amount, revision, time]);
    const added = { amount: Number(recipientShare), atMs: at, halfLifeMs: CARD_HALF_LIFE_MS };
    this.change(recipientId, ({ heat, novaReceived, wallCount }) => ({
      heat: addDecaying(heat, added),
      novaReceived: novaReceived + recipientShare,
      wallCount: wallCount + (onWall ? 1 : 0),
    }));
  }

  private follow(followerId: string, followedId: string, delta: 1 | -1): void {
    this.change(followerId, ({ following }) => ({ following: following + delta }));
    this.change(followedId, ({ followers }) => ({ followers: followers + delta }));
  }

  private change(userId: string, changes: (card: CardFigures) => Partial<CardFigures>): void {
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

function readFigures(cells: readonly (string | null)[]): CardFigures {
  const [heat, novaReceived, , ratingMean, ratingCount, followers, following, wallCount] = cells;
  return {
    heat: heat === null || heat === undefined ? null : Number(heat),
    novaReceived: BigInt(novaReceived ?? 0),
    rating: {
      value: ratingMean === null || ratingMean === undefined ? null : Number(ratingMean),
      count: Number(ratingCount),
    },
    followers: Number(followers),
    following: Number(following),
    wallCount: Number(wallCount),
  };
}
