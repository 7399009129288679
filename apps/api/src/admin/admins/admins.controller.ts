import { Body, Controller, Get, Post } from '@nestjs/common';
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
import { MayWait, type WaitingActDto } from '../approvals/approvals.dto.js';
import { ReasonDto } from '../reason.dto.js';
import { AdminList } from './admin-list.js';
import { AdminsDto } from './admins.dto.js';
import { ChangeAdmin } from './change-admin.js';

/** Admins make and unmake admins (rule admin-18). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin')
export class AdminsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly admins: AdminList,
  ) {}

  @ApiOperation({ summary: 'All admins, and who made them' })
  @ApiOkResponse({ type: AdminsDto })
  @Get('admins')
  list(): Promise<AdminsDto> {
    return this.admins.all();
  }

  @ApiOperation({ summary: 'Make a member an admin' })
  @ApiCreatedResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'There is no such member.' })
  @ApiConflictResponse({ description: 'An admin already, or the address is blocked.' })
  @MayWait()
  @Post('users/:id/make-admin')
  make(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This user') userId: string,
    @Body() { reason }: ReasonDto,
    @RequestId() requestId: string,
  ): Promise<MessageResponse | WaitingActDto> {
    return this.commands.execute(new ChangeAdmin('make-admin', userId, { adminId, requestId, reason }));
  }

  @ApiOperation({ summary: 'Take an admin’s rights, also one’s own: never the last one’s' })
  @ApiCreatedResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'There is no such member.' })
  @ApiConflictResponse({ description: 'Not an admin, or the only one.' })
  @MayWait()
  @Post('users/:id/unmake-admin')
  unmake(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This user') userId: string,
    @Body() { reason }: ReasonDto,
    @RequestId() requestId: string,
  ): Promise<MessageResponse | WaitingActDto> {
    return this.commands.execute(new ChangeAdmin('unmake-admin', userId, { adminId, requestId, reason }));
  }
}
