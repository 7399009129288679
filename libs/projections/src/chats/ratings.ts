import { type MemberRating, nextRating, shownMemberRating } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { type Cached, CachedTable } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';
import {
  double,
  hundredths,
  integer,
  nullable,
  safeInteger,
  smallint,
  Table,
  tablesOf,
  text,
  timestamp,
} from '../tables/table.js';

const chatRating = new Table('ratings', {
  columns: { chatId: text, raterId: text, ratedId: text, side: text, rating: smallint, at: timestamp },
  key: ['chatId', 'raterId'],
  isKeyLast: true,
  indexes: { ratings_rated: '(rated_id, at)' },
});

/** The ratings that a member received (`value` as it is shown) and gave (1 to 100). */
const memberRatings = new Table('member_ratings', {
  columns: {
    userId: text,
    value: nullable(hundredths),
    mean: nullable(double),
    count: integer,
    givenCount: integer,
    givenTotal: safeInteger,
  },
  key: ['userId'],
  fillfactor: 70,
});

const NONE = { value: null, mean: null, count: 0, givenCount: 0, givenTotal: 0 };

/**
 * Every rating of a chat, and each member's rating as everybody sees it (`value`, rule ratings-5: mean ÷ 10, at most
 * 9.99; or as an admin changed it).
 */
export const ratings: ReadModel = {
  name: 'ratings',
  version: 2,
  streamPrefixes: ['chat-', 'moderation-'],
  ...tablesOf(chatRating, memberRatings),
  createApplier: (options) => new RatingsApplier(options),
};

class RatingsApplier implements ReadModelApplier {
  private readonly ratings = new AppendTable(chatRating);
  private readonly members: Cached<typeof memberRatings>;

  constructor(options: ApplierOptions) {
    this.members = new CachedTable(memberRatings, options);
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const changed = events.filter(({ chat, moderation }) => {
      return chat?.type === 'ChatRated' || moderation?.type === 'MemberRatingChanged';
    });
    if (changed.length > 0) await this.take(client, changed);
    await writeTables(client, [this.ratings, this.members], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.ratings, this.members], 'all');
  }

  private async take(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const members = events.flatMap(({ chat, moderation }) => {
      if (moderation) return [moderation.targetId];
      return chat?.type === 'ChatRated' ? [chat.raterId, chat.ratedId] : [];
    });
    await this.members.load(client, members);
    for (const { chat, moderation, time } of events) {
      if (moderation?.type === 'MemberRatingChanged') {
        this.rate(moderation.targetId, ({ count }) => ({ value: moderation.rating, count }));
      }
      if (chat?.type !== 'ChatRated') continue;
      const { chatId, raterId, ratedId, side, rating } = chat;
      this.ratings.add({ chatId, raterId, ratedId, side, rating, at: time });
      this.rate(ratedId, (before) => nextRating(before, rating));
      const rater = this.members.get(raterId) ?? NONE;
      const { givenCount, givenTotal } = rater;
      this.members.set(raterId, { ...rater, givenCount: givenCount + 1, givenTotal: givenTotal + rating });
    }
  }

  private rate(userId: string, next: (before: MemberRating) => MemberRating): void {
    const row = this.members.get(userId) ?? NONE;
    const { value: mean, count } = next({ value: row.mean, count: row.count });
    this.members.set(userId, { ...row, mean, count, value: mean === null ? null : shownMemberRating(mean) });
  }
}
