import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { EngagementKind } from '@app/domain';
import { PostWallComment } from '../../discovery/commands/post-wall-comment.js';
import { UpvoteCard } from '../../discovery/commands/upvote-card.js';
import { Engage } from '../../feed/commands/engage.js';
import { ReactToPost } from '../../feed/commands/react-to-post.js';
import { ScrollPost } from '../../feed/commands/scroll-post.js';
import { Relate } from '../../members/commands/relate.js';
import type { Call } from '../../platform/current-call.js';
import { PublishContent } from '../commands/publish-content.js';
import { DemoFiles } from './demo-files.js';
import type { DemoPost } from './demo-posts.js';
import { SeededRandom } from './seeded-random.js';

const CLIP_PX = 480;
const PICTURE_PX = 640;

/** What the demo members show in the feed, and what they think of each other. Doing it again changes nothing. */
@Injectable()
export class DemoEngagement {
  constructor(
    private readonly commands: CommandBus,
    private readonly files: DemoFiles,
  ) {}

  /** Answers with the post's id. */
  async publish(authorId: string, post: DemoPost, number: number): Promise<string> {
    const { kind, caption, hashtags } = post;
    const side = kind === 'clip' ? CLIP_PX : PICTURE_PX;
    const mediaUrl = await this.files.once({
      step: `post:${number}`,
      memberId: authorId,
      purpose: 'content',
      name: `post-${number}`,
      kind,
      width: side,
      height: side,
    });
    const draft = { mediaUrl, caption, hashtags: [...hashtags] };
    const { id } = await this.commands.execute(new PublishContent(authorId, 'feed', draft, undefined));
    return id;
  }

  /** One member looks at a post, and does what they feel like. */
  async look(viewerId: string, postId: string, seed: string): Promise<void> {
    const random = new SeededRandom(seed);
    const [stays, likes, rates, shares] = [0.7, 0.55, 0.3, 0.08].map((share) => random.next() < share);
    const rating = random.whole(78, 100);
    await this.engage(viewerId, postId, 'impression');
    await this.engage(viewerId, postId, 'qualified_view');
    if (stays) await this.engage(viewerId, postId, 'complete_view');
    if (likes) {
      await this.commands.execute(new ScrollPost(viewerId, postId, callOf()));
      await this.commands.execute(new ReactToPost(viewerId, postId, { type: 'Like' }, undefined));
      await this.engage(viewerId, postId, 'like');
    }
    if (rates) {
      await this.commands.execute(new ReactToPost(viewerId, postId, { type: 'Rate', rating }, undefined));
      await this.engage(viewerId, postId, 'rate');
    }
    if (shares) await this.engage(viewerId, postId, 'share');
  }

  /** Unlocks a card, and gifts the rest of the times. */
  async upvote(viewerId: string, ownerId: string, times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      await this.commands.execute(new UpvoteCard(viewerId, ownerId, callOf(`demo:${ownerId}:${time}`)));
    }
  }

  async follow(memberId: string, otherId: string): Promise<void> {
    await this.commands.execute(new Relate('Follow', { memberId, otherId, requestId: undefined }));
  }

  async comment(memberId: string, ownerId: string, comment: string): Promise<void> {
    await this.commands.execute(new PostWallComment(memberId, ownerId, comment, callOf(`demo:${ownerId}`)));
  }

  private async engage(viewerId: string, postId: string, eventType: EngagementKind): Promise<void> {
    await this.commands.execute(new Engage(viewerId, { postId, eventType }, undefined));
  }
}

/** As if a client had asked for it. */
const callOf = (idempotencyKey?: string): Call => ({ requestId: randomUUID(), idempotencyKey });
