import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { AppError, notFound } from '../../platform/errors/app-error.js';
import { CardContent } from '../card-content.js';
import { Contents } from '../contents.js';

export class ChooseCard extends Command<MessageResponse> {
  constructor(
    readonly memberId: string,
    /** Null for the member's picture. */
    readonly contentId: string | null,
    readonly requestId: string | undefined,
  ) {
    super();
  }
}

/** What one's own profile card shows from now on. */
@CommandHandler(ChooseCard)
export class ChooseCardHandler implements ICommandHandler<ChooseCard> {
  constructor(
    private readonly contents: Contents,
    private readonly card: CardContent,
  ) {}

  /** @throws AppError 404 no such discovery content of the member's, 409 not for a card, or chosen too often, 503 */
  async execute({ memberId, contentId, requestId }: ChooseCard): Promise<MessageResponse> {
    if (contentId !== null) await this.require(memberId, contentId);
    await this.card.change(memberId, () => contentId, { actor: `member:${memberId}`, correlationId: requestId });
    const message = contentId === null ? 'Your card shows your picture again.' : 'This is now your profile card.';
    return { message };
  }

  private async require(memberId: string, contentId: string): Promise<void> {
    const content = await this.contents.find(contentId);
    if (content?.owner_id !== memberId) throw notFound('This content');
    if (content.surface !== 'discovery') {
      throw new AppError(409, 'NOT_DISCOVERY_CONTENT', 'Only discovery content can be shown on your card.');
    }
  }
}
