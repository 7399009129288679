import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { notFound } from '../../platform/errors/app-error.js';
import { Contents } from '../contents.js';
import { Publishing } from '../publishing.js';

export class RemoveContent extends Command<MessageResponse> {
  constructor(
    readonly memberId: string,
    readonly contentId: string,
    readonly requestId: string | undefined,
  ) {
    super();
  }
}

/** Removes one's own content: event, row and file. */
@CommandHandler(RemoveContent)
export class RemoveContentHandler implements ICommandHandler<RemoveContent> {
  constructor(
    private readonly contents: Contents,
    private readonly publishing: Publishing,
  ) {}

  /** @throws AppError 404 not there, or somebody else's */
  async execute({ memberId, contentId, requestId }: RemoveContent): Promise<MessageResponse> {
    const content = await this.contents.find(contentId);
    if (content?.owner_id !== memberId) throw notFound('This content');
    await this.publishing.remove(content, { actor: `member:${memberId}`, correlationId: requestId });
    return { message: 'The content was deleted.' };
  }
}
