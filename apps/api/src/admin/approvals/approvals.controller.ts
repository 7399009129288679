import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiConflictResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { RequestId } from '../../platform/http/request-id.js';
import { IdParam } from '../../platform/id-param.js';
import { ApprovalList } from './approval-list.js';
import { ApprovalDto, ApprovalsDto, ApprovalsQueryDto, DeclineActDto } from './approvals.dto.js';
import { ApproveAct, DeclineAct } from './decide-act.js';

/** Acts that wait for a second admin (rule admin-20). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/approvals')
export class ApprovalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly acts: ApprovalList,
  ) {}

  @ApiOperation({ summary: 'Acts that wait for a second admin, or have waited, newest first' })
  @ApiOkResponse({ type: ApprovalsDto })
  @Get()
  list(@Query() query: ApprovalsQueryDto): Promise<ApprovalsDto> {
    return this.acts.page(query);
  }

  @ApiOperation({ summary: 'One act, and what became of it' })
  @ApiOkResponse({ type: ApprovalDto })
  @ApiNotFoundResponse({ description: 'There is no such act.' })
  @Get(':id')
  one(@IdParam('id', 'This act') id: string): Promise<ApprovalDto> {
    return this.acts.one(id);
  }

  @ApiOperation({ summary: 'Approve another admin’s act, which is carried out at once' })
  @ApiOkResponse({ type: ApprovalDto })
  @ApiNotFoundResponse({ description: 'There is no such act.' })
  @ApiConflictResponse({ description: 'It waits no longer, or whoever asked for it is no longer an admin.' })
  @HttpCode(200)
  @Post(':id/approve')
  approve(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This act') id: string,
    @RequestId() requestId: string,
  ): Promise<ApprovalDto> {
    return this.commands.execute(new ApproveAct(id, { adminId, requestId }));
  }

  @ApiOperation({ summary: 'Decline another admin’s act, or withdraw one’s own' })
  @ApiOkResponse({ type: ApprovalDto })
  @ApiNotFoundResponse({ description: 'There is no such act.' })
  @ApiConflictResponse({ description: 'It waits no longer.' })
  @HttpCode(200)
  @Post(':id/decline')
  decline(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This act') id: string,
    @Body() { reason }: DeclineActDto,
    @RequestId() requestId: string,
  ): Promise<ApprovalDto> {
    return this.commands.execute(new DeclineAct(id, { adminId, requestId, reason }));
  }
}
