import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessageResponse } from '../../identity/message.dto.js';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { RequestId } from '../../platform/http/request-id.js';
import { IdParam } from '../../platform/id-param.js';
import { CloseReport } from './close-report.js';
import { ReportsDto, ReportsQueryDto } from './reports.dto.js';
import { Reports } from './reports.js';

/** What members report (rule members-4). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/reports')
export class ReportsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reports: Reports,
  ) {}

  @ApiOperation({ summary: 'Reports of members, newest first' })
  @ApiOkResponse({ type: ReportsDto })
  @Get()
  list(@Query() query: ReportsQueryDto): Promise<ReportsDto> {
    return this.reports.page(query);
  }

  @ApiOperation({ summary: 'Close a report: somebody has looked into it' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'There is no such open report.' })
  @HttpCode(200)
  @Post(':id/close')
  close(
    @CurrentUser() { id }: SignedInMember,
    @IdParam('id', 'This report') reportId: string,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new CloseReport(id, reportId, requestId));
  }
}
