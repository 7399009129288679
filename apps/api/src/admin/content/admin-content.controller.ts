import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Contents } from '../../content/contents.js';
import { Publishing } from '../../content/publishing.js';
import { MemberDirectory } from '../../identity/member-directory.js';
import { MessageResponse } from '../../identity/message.dto.js';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { notFound } from '../../platform/errors/app-error.js';
import { RequestId } from '../../platform/http/request-id.js';
import { IdParam } from '../../platform/id-param.js';
import { Uploads } from '../../platform/uploads/uploads.js';
import { Moderation } from '../moderation.js';
import { AdminContentDto, AdminContentItemDto, AdminContentQueryDto, AssignContentDto } from './admin-content.dto.js';
import { AdminContents } from './admin-contents.js';

/** The Content Gallery (S1 §2.6, §7 Admin). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/content')
export class AdminContentController {
  constructor(
    private readonly gallery: AdminContents,
    private readonly contents: Contents,
    private readonly publishing: Publishing,
    private readonly uploads: Uploads,
    private readonly directory: MemberDirectory,
    private readonly moderation: Moderation,
  ) {}

  @ApiOperation({ summary: 'Everything that members show, newest first' })
  @ApiOkResponse({ type: AdminContentDto })
  @Get()
  list(@Query() query: AdminContentQueryDto): Promise<AdminContentDto> {
    return this.gallery.page(query);
  }

  @ApiOperation({ summary: 'Show an uploaded file as a member’s content' })
  @ApiCreatedResponse({ type: AdminContentItemDto })
  @ApiNotFoundResponse({ description: 'There is no such member, or no such upload.' })
  @ApiConflictResponse({ description: 'The file is another member’s content, or on another surface.' })
  @Post('assign')
  async assign(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Body() { userId, mediaUrl, surface }: AssignContentDto,
    @RequestId() requestId: string,
  ): Promise<AdminContentItemDto> {
    const owner = await this.directory.get(userId);
    if (!owner || owner.closed) throw notFound('This user');
    const file = await this.uploads.claim({ memberId: adminId, mediaUrl, purpose: 'admin-content' });
    const publication = { ownerId: owner.id, surface, file, caption: null, hashtags: [] };
    await this.publishing.prepare(publication);
    const act = { type: 'ContentAssigned', adminId, targetId: owner.id, subjectId: file.id, reasonId: null } as const;
    await this.moderation.recordOnce(act, requestId);
    await this.publishing.publish(publication, { actor: `admin:${adminId}`, requestId });
    const item = await this.gallery.one(file.id);
    if (!item) throw notFound('This content');
    return item;
  }

  @ApiOperation({ summary: 'Delete a member’s content' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'There is no such content.' })
  @HttpCode(200)
  @Delete(':id')
  async remove(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This content') contentId: string,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    const content = await this.contents.find(contentId);
    if (!content) throw notFound('This content');
    const { owner_id: targetId } = content;
    const act = { type: 'ContentDeleted', adminId, targetId, subjectId: contentId, reasonId: null } as const;
    await this.moderation.recordOnce(act, requestId);
    await this.publishing.remove(content, { actor: `admin:${adminId}`, requestId });
    return { message: 'The content was deleted.' };
  }
}
