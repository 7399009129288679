import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { MarkNoticesRead } from './commands/mark-notices-read.js';
import { Notices } from './notices.js';
import { MarkNoticesReadDto, NoticesResponse, UnreadNoticesResponse } from './notices.dto.js';

/** What a member is told of (rule notices-1). */
@ApiTags('Notices')
@NeedsSession()
@Controller('api/notices')
export class NoticesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly notices: Notices,
  ) {}

  /** What happened to one's chats, Nova and account, newest first. */
  @Get()
  async list(@CurrentUser() { id }: SignedInMember): Promise<NoticesResponse> {
    const notices = await this.notices.list(id);
    return { notices: notices.map((notice) => ({ ...notice, createdAt: notice.createdAt.toISOString() })) };
  }

  /** How many of them are unread. */
  @Get('unread')
  async unread(@CurrentUser() { id }: SignedInMember): Promise<UnreadNoticesResponse> {
    return { unread: await this.notices.unread(id) };
  }

  /** Marks notices as read on all devices. */
  @Post('read')
  @HttpCode(200)
  async markRead(
    @CurrentUser() { id }: SignedInMember,
    @Body() { newestId, chatId }: MarkNoticesReadDto,
  ): Promise<UnreadNoticesResponse> {
    await this.commands.execute(new MarkNoticesRead(id, { newestId, chatId }));
    return { unread: await this.notices.unread(id) };
  }
}
