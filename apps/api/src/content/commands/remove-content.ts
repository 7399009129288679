import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { notFound } from '../../platform/errors/app-error.js';
import { Uploads } from '../../platform/uploads/uploads.js';
import { CardContent } from '../card-content.js';
import { ContentRecords } from '../content-records.js';
import { Contents } from '../contents.js';

export class RemoveContent extends Command<MessageResponse> {
  constructor(
    readonly memberId: string,
    readonly contentId: string,
    readonly requestId: string | undefined,
  ) {
    super();
  }
}

/** Takes one's own content away: event, row and file. */
@CommandHandler(RemoveContent)
export class RemoveContentHandler implements ICommandHandler<RemoveContent> {
  constructor(
    private readonly contents: Contents,
    private readonly records: ContentRecords,
    private readonly card: CardContent,
    private readonly uploads: Uploads,
  ) {}

  /** @throws AppError 404 not there, or somebody else's */
  async execute({ memberId, contentId, requestId }: RemoveContent): Promise<MessageResponse> {
    const content = await this.contents.find(contentId);
    if (content?.owner_id !== memberId) throw notFound('This content');
    const by = { actor: `member:${memberId}`, requestId };
    if ((await this.card.shownBy(memberId)) === contentId) await this.card.show(memberId, null, by);
    await this.records.execute(contentId, { type: 'RemoveContent' }, by);
    await this.contents.remove(contentId);
    await this.uploads.remove(content.file_id);
    return { message: 'The content was deleted.' };
  }
}
