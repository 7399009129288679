import type { Viewer, ViewingCommand } from '@app/domain';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { AppError } from '../../platform/errors/app-error.js';
import { PostOwners } from '../post-owners.js';
import { averageRating } from '../queries/posts.js';
import { Viewings } from '../viewings.js';

type Reaction = Exclude<ViewingCommand, { type: 'Engage' }>;

/** How a post is liked and rated, and whether a viewer likes it. */
interface Reactions {
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

/** Like, unlike, rate: how the post is liked and rated then. */
export class ReactToPost extends Command<Reactions> {
  constructor(
    readonly viewerId: string,
    readonly postId: string,
    readonly reaction: Reaction,
    readonly requestId: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(ReactToPost)
export class ReactToPostHandler implements ICommandHandler<ReactToPost> {
  constructor(
    private readonly owners: PostOwners,
    private readonly viewings: Viewings,
    private readonly figures: ReactionFigures,
  ) {}

  /** @throws AppError 400 one's own post, 404 `POST_NOT_FOUND`, 409 */
  async execute({ viewerId, postId, reaction, requestId }: ReactToPost): Promise<Reactions> {
    const viewer = await this.owners.viewer(viewerId, postId);
    if (viewer.authorId === viewerId) throw new AppError(400, 'OWN_POST', 'This is your own post.');
    await this.viewings.execute(viewer, reaction, { models: ['posts'], requestId });
    return this.figures.after(reaction, viewer);
  }
}
