/** What the read model `posts` counts of a piece of content. `earnings` in minor units. */
export interface PostFigures {
  readonly views: number;
  readonly likes: number;
  readonly comments: number;
  readonly score: number;
  readonly earnings: string;
}

/** In SQL: zero for what the read model does not hold yet. */
export const POST_FIGURES = ['views', 'likes', 'comments', 'score', 'earnings']
  .map((figure) => `coalesce(p.${figure}, 0) as ${figure}`)
  .join(', ');

export type PostJoin = 'join' | 'left join';

/** Joins them to the row `c` of `contents`; loosely, it also finds what the read model does not hold yet. */
export const joinPosts = (join: PostJoin): string =>
  `${join} read.posts p on p.content_id = c.id::text and not p.removed`;
