import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Contents } from '../../content/contents.js';
import { Publishing } from '../../content/publishing.js';
import type { MessageResponse } from '../../identity/message.dto.js';
import { notFound } from '../../platform/errors/app-error.js';
import { Moderation } from '../moderation.js';

export class DeleteContent extends Command<MessageResponse> {
  constructor(
    readonly adminId: string,
    readonly contentId: string,
    readonly requestId: string,
  ) {
    super();
  }
}

/** Takes a member's content away: event, row and file. */
@CommandHandler(DeleteContent)
export class DeleteContentHandler implements ICommandHandler<DeleteContent> {
  constructor(
    private readonly contents: Contents,
    private readonly publishing: Publishing,
    private readonly moderation: Moderation,
  ) {}

  /** @throws AppError 404, 503 */
  async execute({ adminId, contentId, requestId }: DeleteContent): Promise<MessageResponse> {
    const content = await this.contents.find(contentId);
    if (!content) throw notFound('This content');
    const { owner_id: targetId } = content;
    const act = { type: 'ContentDeleted', adminId, targetId, subjectId: contentId, reasonId: null } as const;
    await this.moderation.recordOnce(act, requestId);
    await this.publishing.remove(content, { actor: `admin:${adminId}`, correlationId: requestId });
    return { message: 'The content was deleted.' };
  }
}
