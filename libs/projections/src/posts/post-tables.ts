import { addDecaying, type ContentPublished, NEW_POST_WEIGHT, POST_HALF_LIFE_MS } from '@app/domain';
import type { ApplierOptions } from '../read-model.js';
import { CachedTable } from '../tables/cached-table.js';

/** A piece of content and what became of it. Earnings in minor units of NOVA. */
export interface PostFigures {
  readonly authorId: string;
  readonly surface: string;
  readonly publishedAt: string;
  readonly removed: boolean;
  readonly views: number;
  readonly qualifiedViews: number;
  readonly completeViews: number;
  readonly likes: number;
  readonly shares: number;
  /** Points of all viewers (rule feed-6). */
  readonly score: number;
  /** The same, decaying: see `addDecaying`. */
  readonly heat: number | null;
  readonly ratingTotal: number;
  readonly ratingCount: number;
  readonly comments: number;
  readonly earnings: bigint;
  readonly boostedUntil: string | null;
}

export type CountedKind = 'views' | 'qualifiedViews' | 'completeViews' | 'shares';

/** What one viewer has done with one post. */
export interface PostViewer {
  readonly liked: boolean;
  readonly rating: number | null;
  readonly paid: boolean;
}

export const NEW_VIEWER: PostViewer = { liked: false, rating: null, paid: false };

export const newPost = ({ authorId, surface, at }: ContentPublished, publishedAt: string): PostFigures => ({
  authorId,
  surface,
  publishedAt,
  removed: false,
  views: 0,
  qualifiedViews: 0,
  completeViews: 0,
  likes: 0,
  shares: 0,
  score: 0,
  heat: addDecaying(null, { amount: NEW_POST_WEIGHT, atMs: at, halfLifeMs: POST_HALF_LIFE_MS }),
  ratingTotal: 0,
  ratingCount: 0,
  comments: 0,
  earnings: 0n,
  boostedUntil: null,
});

export const postsTable = (options: ApplierOptions): CachedTable<PostFigures> =>
  new CachedTable<PostFigures>({
    table: 'posts',
    key: [['content_id', 'text']],
    values: [
      ['author_id', 'text'],
      ['surface', 'text'],
      ['published_at', 'timestamptz'],
      ['removed', 'boolean'],
      ['views', 'integer'],
      ['qualified_views', 'integer'],
      ['complete_views', 'integer'],
      ['likes', 'integer'],
      ['shares', 'integer'],
      ['score', 'integer'],
      ['heat', 'double precision'],
      ['rating_total', 'integer'],
      ['rating_count', 'integer'],
      ['comments', 'integer'],
      ['earnings', 'bigint'],
      ['boosted_until', 'timestamptz'],
    ],
    read: readPost,
    cells: (post) => [
      post.authorId,
      post.surface,
      post.publishedAt,
      post.removed,
      post.views,
      post.qualifiedViews,
      post.completeViews,
      post.likes,
      post.shares,
      post.score,
      post.heat,
      post.ratingTotal,
      post.ratingCount,
      post.comments,
      post.earnings,
      post.boostedUntil,
    ],
    ...options,
  });

function readPost(cells: readonly (string | null)[]): PostFigures {
  const [authorId, surface, publishedAt, removed, ...figures] = cells;
  const [views, qualified, complete, likes, shares, score, heat, total, count, comments, earnings, boosted] = figures;
  return {
    authorId: authorId ?? '',
    surface: surface ?? '',
    publishedAt: publishedAt ?? '',
    removed: removed === 'true',
    views: Number(views),
    qualifiedViews: Number(qualified),
    completeViews: Number(complete),
    likes: Number(likes),
    shares: Number(shares),
    score: Number(score),
    heat: heat === null || heat === undefined ? null : Number(heat),
    ratingTotal: Number(total),
    ratingCount: Number(count),
    comments: Number(comments),
    earnings: BigInt(earnings ?? 0),
    boostedUntil: boosted ?? null,
  };
}

export const viewersTable = (options: ApplierOptions): CachedTable<PostViewer> =>
  new CachedTable<PostViewer>({
    table: 'post_viewers',
    key: [
      ['viewer_id', 'text'],
      ['post_id', 'text'],
    ],
    values: [
      ['liked', 'boolean'],
      ['rating', 'smallint'],
      ['paid', 'boolean'],
    ],
    read: ([liked, rating, paid]: readonly (string | null)[]) => ({
      liked: liked === 'true',
      rating: rating === null || rating === undefined ? null : Number(rating),
      paid: paid === 'true',
    }),
    cells: ({ liked, rating, paid }) => [liked, rating, paid],
    ...options,
  });
