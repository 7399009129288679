import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ContentSurface } from '@app/domain';
import { Uploads } from '../../platform/uploads/uploads.js';
import { ContentRecords } from '../content-records.js';
import type { ContentItemDto, NewContentDto } from '../content.dto.js';
import { Contents } from '../contents.js';
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

/** Registers an uploaded file as a post or as discovery content (S1 §4 Upload flow). */
@CommandHandler(PublishContent)
export class PublishContentHandler implements ICommandHandler<PublishContent> {
  constructor(
    private readonly uploads: Uploads,
    private readonly contents: Contents,
    private readonly records: ContentRecords,
    private readonly mine: MyContent,
  ) {}

  /**
   * The content has its file's id: registering a file twice is registering it once.
   * @throws AppError 400, 404 no such upload of this member, 409 nothing was sent yet, 413, 415
   */
  async execute({ memberId, surface, draft, requestId }: PublishContent): Promise<ContentItemDto> {
    const { mediaUrl, caption, hashtags } = draft;
    const file = await this.uploads.claim({ memberId, mediaUrl, purpose: 'content' });
    await this.contents.insert({
      id: file.id,
      owner_id: memberId,
      surface,
      content_type: file.kind,
      file_id: file.id,
      media_type: file.contentType,
      media_url: file.url,
      thumbnail_url: file.thumbnailUrl,
      caption: caption === undefined || caption === '' ? null : caption,
      hashtags: [...new Set(hashtags ?? [])],
    });
    await this.records.execute(
      file.id,
      { type: 'PublishContent', contentId: file.id, authorId: memberId, surface },
      { actor: `member:${memberId}`, requestId },
    );
    return this.mine.item(memberId, file.id);
  }
}
