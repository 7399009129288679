import { type MemberRating, nextRating, NOT_RATED, shownMemberRating } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { CachedTable } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';

/** A member's ratings: those they were given, and those that they gave (1 to 100). */
interface MemberRatings extends MemberRating {
  readonly givenCount: number;
  readonly givenTotal: number;
}

const NONE: MemberRatings = { ...NOT_RATED, givenCount: 0, givenTotal: 0 };

/**
 * Every rating of a chat, and each member's as everybody sees it (`value`, rule ratings-5: mean ÷ 10, at most 9.99; or as an
 * admin changed it).
 */
export const ratings: ReadModel = {
  name: 'ratings',
  version: 2,
  streamPrefixes: ['chat-', 'moderation-'],
  tables: ['ratings', 'member_ratings'],
  ddl: `
    create table ratings (
      chat_id text collate "C" not null,
      rater_id text collate "C" not null,
      rated_id text collate "C" not null,
      side text collate "C" not null,
      rating smallint not null,
      at timestamptz not null
    );
    create table member_ratings (
      user_id text collate "C" primary key,
      value numeric(4, 2),
      mean double precision,
      count integer not null,
      given_count integer not null,
      given_total bigint not null
    ) with (fillfactor = 70);
  `,
  indexes: `
    alter table ratings add primary key (chat_id, rater_id);
    create index ratings_rated on ratings (rated_id, at);
  `,
  createApplier: (options) => new RatingsApplier(options),
};

class RatingsApplier implements ReadModelApplier {
  private readonly ratings = new AppendTable('ratings', [
    ['chat_id', 'text'],
    ['rater_id', 'text'],
    ['rated_id', 'text'],
    ['side', 'text'],
    ['rating', 'smallint'],
    ['at', 'timestamptz'],
  ]);
  private readonly members: CachedTable<MemberRatings>;

  constructor(options: ApplierOptions) {
    this.members = new CachedTable({
      table: 'member_ratings',
      key: [['user_id', 'text']],
      values: [
        ['value', 'numeric'],
        ['mean', 'double precision'],
        ['count', 'integer'],
        ['given_count', 'integer'],
        ['given_total', 'bigint'],
      ],
      read: ([, mean, count, givenCount, givenTotal]: readonly (string | null)[]) => ({
        value: mean === null || mean === undefined ? null : Number(mean),
        count: Number(count),
        givenCount: Number(givenCount),
        givenTotal: Number(givenTotal),
      }),
      cells: ({ value, count, givenCount, givenTotal }) => [
        value === null ? null : shownMemberRating(value),
        value,
        count,
        givenCount,
        givenTotal,
      ],
      ...options,
    });
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
        const { targetId, rating: value } = moderation;
        this.members.set(targetId, { ...(this.members.get(targetId) ?? NONE), value });
      }
      if (chat?.type !== 'ChatRated') continue;
      const { chatId, raterId, ratedId, side, rating } = chat;
      this.ratings.add([chatId, raterId, ratedId, side, rating, time]);
      const rated = this.members.get(ratedId) ?? NONE;
      this.members.set(ratedId, { ...rated, ...nextRating(rated, rating) });
      const rater = this.members.get(raterId) ?? NONE;
      const { givenCount, givenTotal } = rater;
      this.members.set(raterId, { ...rater, givenCount: givenCount + 1, givenTotal: givenTotal + rating });
    }
  }
}
