import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FEED_SCROLL_PRICE, type Viewer } from '@app/domain';
import type { Ledger } from '@app/ledger';
import type { Call } from '../../platform/current-call.js';
import { expectAccepted } from '../../platform/errors/rejections.js';
import { KeyUses } from '../../platform/key-uses/key-uses.js';
import { causeOfKey } from '../../platform/ledger/cause-of-key.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { ScrollDto } from '../post.dto.js';
import { PostOwners } from '../post-owners.js';

export class ScrollPost extends Command<ScrollDto> {
  constructor(
    readonly viewerId: string,
    readonly postId: string,
    readonly call: Call,
  ) {
    super();
  }
}

/** `POST /api/scroll`: 1 Nova for each post of another member, once for each viewer and post (rule feed-13). */
@CommandHandler(ScrollPost)
export class ScrollPostHandler implements ICommandHandler<ScrollPost> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly keys: KeyUses,
    private readonly owners: PostOwners,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws AppError 400 `INSUFFICIENT_NOVA`, 403 frozen, 404 `POST_NOT_FOUND`, 422 key reused, 503 */
  async execute({ viewerId, postId, call }: ScrollPost): Promise<ScrollDto> {
    const viewer = await this.owners.viewer(viewerId, postId);
    if (viewer.authorId === viewerId) return this.nothing(viewerId);
    return this.keys.guard(
      { scope: `member:${viewerId}:feed.scroll`, key: call.idempotencyKey, body: [viewer.postId] },
      () => this.pay(viewer, call),
    );
  }

  /** Once for each viewer and post. Whose payment it was, the cause tells: its repetition is answered as it was. */
  private async pay({ viewerId, authorId, postId }: Viewer, call: Call): Promise<ScrollDto> {
    const cause = causeOfKey('scroll', call.idempotencyKey);
    const outcome = await this.ledger.execute({
      command: {
        type: 'PayForCard',
        kind: 'scroll',
        senderId: viewerId,
        recipientId: authorId,
        subjectId: postId,
        amount: FEED_SCROLL_PRICE,
      },
      actor: `member:${viewerId}`,
      key: { scope: 'fact', value: `scroll:${viewerId}:${postId}` },
      ...(cause !== undefined && { cause }),
      correlationId: call.requestId,
    });
    const { repeated, revision, balances, events } = expectAccepted(outcome);
    const isOwn = cause !== undefined && events.some(({ event }) => event.cause === cause);
    if (repeated && !isOwn) return this.nothing(viewerId);
    await this.readModels.caughtUp(revision);
    const balance = balances?.get(viewerId) ?? (await this.readModels.novaBalance(viewerId));
    return { novaDeducted: toNova(FEED_SCROLL_PRICE), novaBalance: toNova(balance) };
  }

  private async nothing(viewerId: string): Promise<ScrollDto> {
    return { novaDeducted: 0, novaBalance: toNova(await this.readModels.novaBalance(viewerId)) };
  }
}
