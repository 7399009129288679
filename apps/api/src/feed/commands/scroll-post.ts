import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FEED_SCROLL_PRICE } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/tokens.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { ScrollDto } from '../post.dto.js';
import { PostOwners } from '../post-owners.js';

export class ScrollPost extends Command<ScrollDto> {
  constructor(
    readonly viewerId: string,
    readonly postId: string,
  ) {
    super();
  }
}

/** `POST /api/scroll`: 1 Nova for each post of another member, once for each viewer and post (`decisions.md`, Discovery). */
@CommandHandler(ScrollPost)
export class ScrollPostHandler implements ICommandHandler<ScrollPost> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly owners: PostOwners,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws AppError 400 `INSUFFICIENT_NOVA`, 403 frozen, 404 `POST_NOT_FOUND`, 503 */
  async execute({ viewerId, postId }: ScrollPost): Promise<ScrollDto> {
    const { authorId, postId: subjectId } = await this.owners.viewer(viewerId, postId);
    if (authorId === viewerId) return this.nothing(viewerId);
    const outcome = await this.ledger.execute({
      command: {
        type: 'PayForCard',
        kind: 'scroll',
        senderId: viewerId,
        recipientId: authorId,
        subjectId,
        amount: FEED_SCROLL_PRICE,
      },
      actor: `member:${viewerId}`,
      key: { scope: 'fact', value: `scroll:${viewerId}:${subjectId}` },
    });
    const { repeated, revision, balances } = expectAccepted(outcome);
    if (repeated) return this.nothing(viewerId);
    await this.readModels.caughtUp(revision);
    const balance = balances?.get(viewerId) ?? (await this.readModels.novaBalance(viewerId));
    return { novaDeducted: toNova(FEED_SCROLL_PRICE), novaBalance: toNova(balance) };
  }

  private async nothing(viewerId: string): Promise<ScrollDto> {
    return { novaDeducted: 0, novaBalance: toNova(await this.readModels.novaBalance(viewerId)) };
  }
}
