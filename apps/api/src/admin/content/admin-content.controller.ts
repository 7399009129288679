import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { MessageResponse } from '../../identity/message.dto.js';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { RequestId } from '../../platform/http/request-id.js';
import { IdParam } from '../../platform/id-param.js';
import { AdminContentDto, AdminContentItemDto, AdminContentQueryDto, AssignContentDto } from './admin-content.dto.js';
import { AdminContents } from './admin-contents.js';
import { AssignContent } from './assign-content.js';
import { DeleteContent } from './delete-content.js';

/** The Content Gallery (rule admin-13). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/content')
export class AdminContentController {
  constructor(
    private readonly commands: CommandBus,
    private readonly gallery: AdminContents,
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
  assign(
    @CurrentUser() { id }: SignedInMember,
    @Body() content: AssignContentDto,
    @RequestId() requestId: string,
  ): Promise<AdminContentItemDto> {
    return this.commands.execute(new AssignContent(id, content, requestId));
  }

  @ApiOperation({ summary: 'Delete a member’s content' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'There is no such content.' })
  @HttpCode(200)
  @Delete(':id')
  remove(
    @CurrentUser() { id }: SignedInMember,
    @IdParam('id', 'This content') contentId: string,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new DeleteContent(id, contentId, requestId));
  }
}
