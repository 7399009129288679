import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ContentSurface } from '@app/domain';
import { Uploads } from '../../platform/uploads/uploads.js';
import type { ContentItemDto, NewContentDto } from '../content.dto.js';
import { Publishing } from '../publishing.js';
import { MyContent } from '../queries/my-content.js';

export class PublishContent extends Command<ContentItemDto> {
  constructor(
    readonly memberId: string,
    readonly surface: ContentSurface,
    readonly draft: NewContentDto,
    readonly requestId: string | undefined,
  ) {
    super();
  }
}

/** Registers an uploaded file as a post or as discovery content (rule uploads-4). */
@CommandHandler(PublishContent)
export class PublishContentHandler implements ICommandHandler<PublishContent> {
  constructor(
    private readonly uploads: Uploads,
    private readonly publishing: Publishing,
    private readonly mine: MyContent,
  ) {}

  /** @throws AppError 400, 404 no such upload of this member, 409 nothing was sent yet, or it is shown elsewhere, 413, 415 */
  async execute({ memberId, surface, draft, requestId }: PublishContent): Promise<ContentItemDto> {
    const { mediaUrl, caption, hashtags } = draft;
    const file = await this.uploads.claim({ memberId, mediaUrl, purpose: 'content' });
    await this.publishing.publish(
      {
        ownerId: memberId,
        surface,
        file,
        caption: caption === undefined || caption === '' ? null : caption,
        hashtags: hashtags ?? [],
      },
      { actor: `member:${memberId}`, correlationId: requestId },
    );
    return this.mine.item(memberId, file.id);
  }
}
