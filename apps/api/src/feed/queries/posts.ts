import { Injectable } from '@nestjs/common';
import { decayedValue, POST_HALF_LIFE_MS, promotionStage } from '@app/domain';
import type { Pool } from 'pg';
import { type DirectoryMember, MemberDirectory } from '../../identity/member-directory.js';
import type { MediaType } from '../../discovery/discovery.dto.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Presence } from '../../realtime/presence.js';
import type { FeedDto, PostDto } from '../post.dto.js';

interface PostRow {
  readonly id: string;
  readonly author_id: string;
  readonly content_type: MediaType;
  readonly media_url: string;
  readonly thumbnail_url: string | null;
  readonly caption: string | null;
  readonly hashtags: string[];
  readonly published_at: Date;
  readonly views: number;
  readonly qualified_views: number;
  readonly complete_views: number;
  readonly likes: number;
  readonly shares: number;
  readonly score: number;
  readonly heat: number | null;
  readonly rating_total: number;
  readonly rating_count: number;
  readonly comments: number;
  readonly boosted_until: Date | null;
  readonly is_priority: boolean;
  readonly liked: boolean;
  readonly my_rating: number | null;
  readonly paid: boolean;
}

const COLUMNS = `
  c.id, p.author_id, c.content_type, c.media_url, c.thumbnail_url, c.caption, c.hashtags, p.published_at, p.views,
  p.qualified_views, p.complete_views, p.likes, p.shares, p.score, p.heat, p.rating_total, p.rating_count, p.comments,
  p.boosted_until, coalesce(v.liked, false) as liked, v.rating as my_rating, coalesce(v.paid, false) as paid`;

const VIEWED = 'left join read.post_viewers v on v.viewer_id = $1 and v.post_id = p.content_id';

/** Neither the viewer $1 nor the author has blocked the other. */
export const notBlocked = (authorId: string): string => `not exists (select from read.blocks b
    where (b.blocker_id = $1 and b.blocked_id = ${authorId}) or (b.blocker_id = ${authorId} and b.blocked_id = $1))`;

/** Posts that a viewer may see: there is a row beside the event, the author is still here, and neither has blocked the other. */
const VISIBLE = `
  exists (select from content_directory c join member_directory a on a.id = c.owner_id
    where c.id = p.content_id::uuid and c.removed_at is null and a.closed_at is null)
  and ${notBlocked('p.author_id')}`;

/** The newest post of whoever has a priority slot, then by what the points are worth now: along the index. */
const FEED = `
  with first as (
    select distinct on (p.author_id) p.content_id, p.heat
    from read.viewer_perks k join read.posts p on p.author_id = k.user_id
    where k.priority_until > now() and p.surface = 'feed' and not p.removed and ${VISIBLE}
    order by p.author_id, p.published_at desc),
  page as (
    select content_id, heat, is_priority from (
      (select content_id, heat, true as is_priority from first)
      union all
      (select p.content_id, p.heat, false from read.posts p
       where p.surface = 'feed' and not p.removed and ${VISIBLE} and p.content_id not in (select content_id from first)
       order by p.heat desc nulls last, p.content_id desc limit $2::int + $3::int)
    ) posts order by is_priority desc, heat desc nulls last, content_id desc limit $2 offset $3)
  select ${COLUMNS}, page.is_priority
  from page join read.posts p using (content_id) join content_directory c on c.id = p.content_id::uuid ${VIEWED}
  order by page.is_priority desc, p.heat desc nulls last, p.content_id desc`;

const ONE = `
  select ${COLUMNS},
    exists (select from read.viewer_perks k where k.user_id = p.author_id and k.priority_until > now())
    and not exists (select from read.posts newer where newer.author_id = p.author_id and newer.surface = 'feed'
      and not newer.removed and newer.published_at > p.published_at) as is_priority
  from read.posts p join content_directory c on c.id = p.content_id::uuid ${VIEWED}
  where p.content_id = $2 and p.surface = 'feed' and not p.removed and ${VISIBLE}`;

export const postNotFound = (): AppError => new AppError(404, 'POST_NOT_FOUND', 'This post may have been deleted.');

/** The feed and its posts, as a viewer sees them. */
@Injectable()
export class Posts {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly directory: MemberDirectory,
    private readonly presence: Presence,
  ) {}

  async feed(
    viewerId: string,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<FeedDto> {
    const { rows } = await this.pool.query<PostRow>({
      name: 'feed',
      text: FEED,
      values: [viewerId, limit + 1, offset],
    });
    const page = rows.slice(0, limit);
    return { posts: await this.toPosts(viewerId, page), hasMore: rows.length > limit };
  }

  /** @throws AppError 404 `POST_NOT_FOUND` */
  async one(viewerId: string, postId: string): Promise<PostDto> {
    const { rows } = await this.pool.query<PostRow>({ name: 'post', text: ONE, values: [viewerId, postId] });
    const [post] = await this.toPosts(viewerId, rows);
    if (!post) throw postNotFound();
    return post;
  }

  private async toPosts(viewerId: string, rows: readonly PostRow[]): Promise<PostDto[]> {
    const ids = [...new Set(rows.map(({ author_id }) => author_id))];
    const [authors, online] = await Promise.all([this.directory.find(ids), this.presence.areOnline(ids)]);
    const now = Date.now();
    return rows.flatMap((row) => {
      const author = authors.get(row.author_id);
      return author ? [toPost(row, { viewerId, author, isOnline: online.has(author.id), now })] : [];
    });
  }
}

/** 1 to 100, to a tenth; null while nobody rated it. */
export const averageRating = (total: number, count: number): number | null =>
  count === 0 ? null : Math.round((total / count) * 10) / 10;

interface Seen {
  readonly viewerId: string;
  readonly author: DirectoryMember;
  readonly isOnline: boolean;
  readonly now: number;
}

function toPost(row: PostRow, { viewerId, author, isOnline, now }: Seen): PostDto {
  const { id, displayName, profileImageUrl, rating } = author;
  const isOwn = author.id === viewerId;
  const { rating_total: total, rating_count: ratings, boosted_until: boostedUntil } = row;
  return {
    id: row.id,
    authorId: row.author_id,
    author: { id, displayName, profileImageUrl, rating, isOnline },
    contentType: row.content_type,
    createdAt: row.published_at.toISOString(),
    promotionStage: promotionStage(row.score),
    engagementScore: row.score,
    feedRank: Math.round(decayedValue(row.heat, now, POST_HALF_LIFE_MS) * 100) / 100,
    mediaUrl: row.media_url,
    thumbnailUrl: row.thumbnail_url,
    caption: row.caption,
    hashtags: row.hashtags,
    viewCount: row.views,
    likeCount: row.likes,
    commentCount: row.comments,
    shareCount: row.shares,
    avgRating: averageRating(total, ratings),
    ratingCount: ratings,
    qualifiedViews: row.qualified_views,
    completeViews: row.complete_views,
    isLikedByUser: row.liked,
    myRating: row.my_rating,
    isPaid: isOwn || row.paid,
    isOwn,
    boostedUntil: boostedUntil !== null && boostedUntil.getTime() > now ? boostedUntil.toISOString() : null,
    isPriority: row.is_priority,
  };
}
