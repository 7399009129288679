import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Publishing } from '../../content/publishing.js';
import { MemberDirectory } from '../../identity/member-directory.js';
import { notFound } from '../../platform/errors/app-error.js';
import { Uploads } from '../../platform/uploads/uploads.js';
import { Moderation } from '../moderation.js';
import type { AdminContentItemDto, AssignContentDto } from './admin-content.dto.js';
import { AdminContents } from './admin-contents.js';

export class AssignContent extends Command<AdminContentItemDto> {
  constructor(
    readonly adminId: string,
    readonly content: AssignContentDto,
    readonly requestId: string,
  ) {
    super();
  }
}

/** Shows an uploaded file as a member's content. */
@CommandHandler(AssignContent)
export class AssignContentHandler implements ICommandHandler<AssignContent> {
  constructor(
    private readonly gallery: AdminContents,
    private readonly publishing: Publishing,
    private readonly uploads: Uploads,
    private readonly directory: MemberDirectory,
    private readonly moderation: Moderation,
  ) {}

  /** @throws AppError 400, 404 no such member or upload, 409 nothing was sent yet, or it is shown elsewhere, 413, 415, 503 */
  async execute({ adminId, content, requestId }: AssignContent): Promise<AdminContentItemDto> {
    const { userId, mediaUrl, surface } = content;
    const owner = await this.directory.get(userId);
    if (!owner || owner.closed) throw notFound('This user');
    const file = await this.uploads.claim({ memberId: adminId, mediaUrl, purpose: 'admin-content' });
    const publication = { ownerId: owner.id, surface, file, caption: null, hashtags: [] };
    await this.publishing.prepare(publication);
    const act = { type: 'ContentAssigned', adminId, targetId: owner.id, subjectId: file.id, reasonId: null } as const;
    await this.moderation.recordOnce(act, requestId);
    await this.publishing.publish(publication, { actor: `admin:${adminId}`, correlationId: requestId });
    const item = await this.gallery.one(file.id);
    if (!item) throw notFound('This content');
    return item;
  }
}
