import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ViewingCommand } from '@app/domain';
import { AppError } from '../../platform/errors/app-error.js';
import type { PostDto } from '../post.dto.js';
import { PostOwners } from '../post-owners.js';
import { Posts } from '../queries/posts.js';
import { Viewings } from '../viewings.js';

/** Like, unlike, rate: the post as it is then. */
export class ReactToPost extends Command<PostDto> {
  constructor(
    readonly viewerId: string,
    readonly postId: string,
    readonly reaction: Exclude<ViewingCommand, { type: 'Engage' }>,
  ) {
    super();
  }
}

@CommandHandler(ReactToPost)
export class ReactToPostHandler implements ICommandHandler<ReactToPost> {
  constructor(
    private readonly owners: PostOwners,
    private readonly viewings: Viewings,
    private readonly posts: Posts,
  ) {}

  /** @throws AppError 400 one's own post, 404 `POST_NOT_FOUND`, 409 */
  async execute({ viewerId, postId, reaction }: ReactToPost): Promise<PostDto> {
    const viewer = await this.owners.viewer(viewerId, postId);
    if (viewer.authorId === viewerId) throw new AppError(400, 'OWN_POST', 'This is your own post.');
    await this.viewings.execute(viewer, reaction, ['posts']);
    return this.posts.one(viewerId, postId);
  }
}
