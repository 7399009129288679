import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { MarkNoticesSeen, MarkNoticesSeenDto } from './commands/mark-notices-seen.js';
import { MessageResponse } from './message.dto.js';
import { ListSecurityNotices, SecurityNoticesResponse } from './queries/list-security-notices.js';

@ApiTags('Identity')
@NeedsSession()
@Controller('api/auth/security-notices')
export class SecurityNoticesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** What has happened to the safety of one's own account. */
  @Get()
  @Header('cache-control', 'no-store')
  list(@CurrentUser() member: SignedInMember): Promise<SecurityNoticesResponse> {
    return this.queries.execute(new ListSecurityNotices(member));
  }

  /** Marks notices as seen on this device. */
  @Post('seen')
  @HttpCode(200)
  async markSeen(
    @CurrentUser() member: SignedInMember,
    @Body() { newestId }: MarkNoticesSeenDto,
  ): Promise<MessageResponse> {
    await this.commands.execute(new MarkNoticesSeen(member, newestId));
    return { message: 'The notices have been marked as seen.' };
  }
}
