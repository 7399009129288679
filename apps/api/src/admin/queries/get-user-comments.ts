import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { DELETED_MEMBER, MemberDirectory } from '../../identity/member-directory.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { notFound } from '../../platform/errors/app-error.js';
import { Limit } from '../../wallet/paging.dto.js';
import { AdminUsers } from '../admin-users.js';
import type { CommentStatsDto, UserCommentsDto } from '../comments.dto.js';

/** The most entries of each list; the figures cover all. */
export class UserCommentsQueryDto {
  @Limit()
  limit: number = 100;
}

interface RatingRow {
  readonly chat_id: string;
  readonly rater_id: string;
  readonly rated_id: string;
  readonly rating: number;
  readonly comment: string | null;
  readonly explanation: string | null;
  readonly at: Date;
}

interface StatsRow {
  readonly received: number;
  readonly average_received: number | null;
  readonly made: number;
  readonly average_made: number | null;
}

const COLUMNS = 'r.chat_id, r.rater_id, r.rated_id, r.rating, w.comment, w.explanation, r.at';

const ABOUT = `
  select ${COLUMNS} from read.ratings r
  left join review_directory w on w.chat_id = r.chat_id::uuid and w.rater_id = r.rater_id::uuid
  where r.rated_id = $1 order by r.at desc, r.chat_id limit $2`;

/** Every rating has a row of words, be they none; without its event it does not count. */
const MADE = `
  select ${COLUMNS} from review_directory w
  join read.ratings r on r.chat_id = w.chat_id::text and r.rater_id = w.rater_id::text
  where w.rater_id = $1::uuid order by w.created_at desc, w.chat_id limit $2`;

const STATS = `
  select about.received, about.average_received, coalesce(m.given_count, 0) as made,
    m.given_total::float8 / nullif(m.given_count, 0) as average_made
  from (select count(*)::int as received, avg(rating)::float8 as average_received
        from read.ratings where rated_id = $1) about
  left join read.member_ratings m on m.user_id = $1`;

export class GetUserComments extends Query<UserCommentsDto> {
  constructor(
    readonly userId: string,
    readonly limit: number,
  ) {
    super();
  }
}

/** `GET /api/admin/users/{id}/comments`: what others say about a member, and what they say about others. */
@QueryHandler(GetUserComments)
export class GetUserCommentsHandler implements IQueryHandler<GetUserComments> {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly users: AdminUsers,
    private readonly directory: MemberDirectory,
  ) {}

  /** @throws AppError 404 no such user */
  async execute({ userId, limit }: GetUserComments): Promise<UserCommentsDto> {
    const user = await this.users.find(userId);
    if (!user) throw notFound('This user');
    const [stats, about, made] = await Promise.all([
      this.stats(userId),
      this.pool.query<RatingRow>(ABOUT, [userId, limit]),
      this.pool.query<RatingRow>(MADE, [userId, limit]),
    ]);
    const others = [...about.rows.map((row) => row.rater_id), ...made.rows.map((row) => row.rated_id)];
    const members = await this.directory.find(others);
    const nameOf = (id: string): string => members.get(id)?.displayName ?? DELETED_MEMBER;
    return {
      user,
      stats,
      ratingsAboutUser: about.rows.map((row) => ({
        ...toEntry(row),
        raterId: row.rater_id,
        raterName: nameOf(row.rater_id),
      })),
      ratingsMadeByUser: made.rows.map((row) => ({
        ...toEntry(row),
        ratedUserId: row.rated_id,
        ratedUserName: nameOf(row.rated_id),
      })),
    };
  }

  private async stats(userId: string): Promise<CommentStatsDto> {
    const { rows } = await this.pool.query<StatsRow>(STATS, [userId]);
    const { received = 0, average_received = null, made = 0, average_made = null } = rows[0] ?? {};
    return {
      totalRatingsReceived: received,
      totalRatingsMade: made,
      averageRatingReceived: hundredths(average_received ?? 0),
      averageRatingGiven: hundredths(average_made ?? 0),
    };
  }
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;

const toEntry = ({ chat_id, rater_id, rating, comment, explanation, at }: RatingRow) => ({
  id: `${chat_id}:${rater_id}`,
  rating,
  comment,
  explanation,
  chatId: chat_id,
  createdAt: at.toISOString(),
});
