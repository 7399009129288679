import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AppError } from '../../platform/errors/app-error.js';
import { PostOwners } from '../post-owners.js';
import { type Reaction, ReactionFigures, type Reactions } from '../queries/reactions.js';
import { Viewings } from '../viewings.js';

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
