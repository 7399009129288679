import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessageResponse } from '../../identity/message.dto.js';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { notFound } from '../../platform/errors/app-error.js';
import { RequestId } from '../../platform/http/request-id.js';
import { IdParam } from '../../platform/id-param.js';
import { Moderation } from '../moderation.js';
import { ReportsDto, ReportsQueryDto } from './reports.dto.js';
import { Reports } from './reports.js';

/** What members report (`decisions.md`, Chats: reports reach the admin). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/reports')
export class ReportsController {
  constructor(
    private readonly reports: Reports,
    private readonly moderation: Moderation,
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
  async close(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This report') reportId: string,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    const isClosed = await this.reports.close(reportId, adminId, (targetId) =>
      this.moderation.recordOnce(
        { type: 'ReportClosed', adminId, targetId, subjectId: reportId, reasonId: null },
        requestId,
      ),
    );
    if (!isClosed) throw notFound('This open report');
    return { message: 'The report is closed.' };
  }
}
