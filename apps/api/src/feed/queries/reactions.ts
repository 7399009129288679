import { Injectable } from '@nestjs/common';
import type { Viewer, ViewingCommand } from '@app/domain';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { averageRating } from './posts.js';

export type Reaction = Exclude<ViewingCommand, { type: 'Engage' }>;

/** How a post is liked and rated, and whether a viewer likes it. */
export interface Reactions {
  readonly isLikedByUser: boolean;
  readonly likeCount: number;
  readonly avgRating: number | null;
  readonly ratingCount: number;
}

interface Row {
  readonly likes: number;
  readonly rating_total: number;
  readonly rating_count: number;
  readonly liked: boolean;
  readonly rating: number | null;
}

const FIGURES = `
  select coalesce(p.likes, 0) as likes, coalesce(p.rating_total, 0) as rating_total,
    coalesce(p.rating_count, 0) as rating_count, coalesce(v.liked, false) as liked, v.rating
  from (select 1) one
  left join read.posts p on p.content_id = $2
  left join read.post_viewers v on v.viewer_id = $1 and v.post_id = $2`;

@Injectable()
export class ReactionFigures {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** With a viewer's last reaction, which the read model may not hold yet. */
  async after(reaction: Reaction, { viewerId, postId }: Viewer): Promise<Reactions> {
    const { rows } = await this.pool.query<Row>({ name: 'reactions', text: FIGURES, values: [viewerId, postId] });
    const [row] = rows;
    if (!row) throw new Error('the figures of a post are one row');
    const isLikedByUser = reaction.type === 'Rate' ? row.liked : reaction.type === 'Like';
    const myRating = reaction.type === 'Rate' ? reaction.rating : row.rating;
    const ratingCount = row.rating_count + Number(myRating !== null) - Number(row.rating !== null);
    return {
      isLikedByUser,
      likeCount: row.likes + Number(isLikedByUser) - Number(row.liked),
      avgRating: averageRating(row.rating_total + (myRating ?? 0) - (row.rating ?? 0), ratingCount),
      ratingCount,
    };
  }
}
