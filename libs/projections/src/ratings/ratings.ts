import { nextRating, shownMemberRating } from '@app/domain';
import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { CachedTable } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';

/** A member's ratings: those they were given, and those that they gave (1 to 100). */
interface MemberRatings {
  /** 0 to 10, not rounded: what the next rating is averaged with. */
  readonly mean: number;
  readonly count: number;
  readonly givenCount: number;
  readonly givenTotal: number;
}

const NONE: MemberRatings = { mean: 0, count: 0, givenCount: 0, givenTotal: 0 };

/** Every rating of a chat, and each member's as everybody sees it (`value`, S1 §9 Ratings: mean ÷ 10, at most 9.99). */
export const ratings: ReadModel = {
  name: 'ratings',
  version: 1,
  streamPrefixes: ['chat-'],
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
      mean double precision not null,
      count integer not null,
      given_count integer not null,
      given_total bigint not null
    ) with (fillfactor = 70);
  `,
  indexes: `
    alter table ratings add primary key (chat_id, rater_id);
    create index ratings_rated on ratings (rated_id, at);
  `,
  createApplier: ({ startsEmpty }) => new RatingsApplier(startsEmpty),
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

  constructor(startsEmpty: boolean) {
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
      read: ([, mean, count, givenCount, givenTotal]) => ({
        mean: Number(mean),
        count: Number(count),
        givenCount: Number(givenCount),
        givenTotal: Number(givenTotal),
      }),
      cells: ({ mean, count, givenCount, givenTotal }) => [
        count === 0 ? null : shownMemberRating(mean),
        mean,
        count,
        givenCount,
        givenTotal,
      ],
      startsEmpty,
    });
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const rated = events.filter(({ chat }) => chat?.type === 'ChatRated');
    if (rated.length > 0) await this.take(client, rated);
    await writeTables(client, [this.ratings, this.members], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.ratings, this.members], 'all');
  }

  private async take(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const members = events.flatMap(({ chat }) => (chat?.type === 'ChatRated' ? [chat.raterId, chat.ratedId] : []));
    await this.members.load(client, members);
    for (const { chat, time } of events) {
      if (chat?.type !== 'ChatRated') continue;
      const { chatId, raterId, ratedId, side, rating } = chat;
      this.ratings.add([chatId, raterId, ratedId, side, rating, time]);
      const rated = this.members.get(ratedId) ?? NONE;
      const { value: mean, count } = nextRating({ value: rated.mean, count: rated.count }, rating);
      this.members.set(ratedId, { ...rated, mean, count });
      const rater = this.members.get(raterId) ?? NONE;
      const { givenCount, givenTotal } = rater;
      this.members.set(raterId, { ...rater, givenCount: givenCount + 1, givenTotal: givenTotal + rating });
    }
  }
}
