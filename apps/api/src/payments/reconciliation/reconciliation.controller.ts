import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { offsetOf, paginationOf } from '../../admin/page.dto.js';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { RequestId } from '../../platform/http/request-id.js';
import { BeginReconciliation } from './begin-reconciliation.js';
import { ExplainDifference } from './explain-difference.js';
import { SettleDifference } from './settle-difference.js';
import { Reconciling } from './reconciling.js';
import { ReconciliationViews } from './reconciliation-views.js';
import {
  BeginReconciliationDto,
  ExplainDifferenceDto,
  ReconciliationLineDto,
  ReconciliationLinesDto,
  ReconciliationLinesQueryDto,
  ReconciliationRunDto,
  ReconciliationRunsDto,
  ReconciliationRunsQueryDto,
  SettleDifferenceDto,
} from './reconciliation.dto.js';

/** The payment provider's books held against ours (`docs/reconciliation.md`). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/reconciliation')
export class ReconciliationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reconciling: Reconciling,
    private readonly views: ReconciliationViews,
  ) {}

  @ApiOperation({ summary: 'Movements at the payment provider against events of the ledger, newest first' })
  @ApiOkResponse({ type: ReconciliationLinesDto })
  @Get('lines')
  async lines(@Query() query: ReconciliationLinesQueryDto): Promise<ReconciliationLinesDto> {
    const { lines, total } = await this.reconciling.lines.page({ ...pageOf(query), status: query.status });
    return { lines: await this.views.lines(lines), pagination: paginationOf(query, total) };
  }

  @ApiOperation({ summary: 'When was looked, and what was found' })
  @ApiOkResponse({ type: ReconciliationRunsDto })
  @Get('runs')
  async runs(@Query() query: ReconciliationRunsQueryDto): Promise<ReconciliationRunsDto> {
    const { runs, total } = await this.reconciling.runs.page(pageOf(query));
    return { runs: await this.views.runs(runs), pagination: paginationOf(query, total) };
  }

  /** A short look is answered with what it found; a longer one goes on, and its run tells when it is done. */
  @ApiOperation({ summary: 'Hold the provider’s books against ours now, for a range of time' })
  @ApiCreatedResponse({ type: ReconciliationRunDto })
  @ApiBadRequestResponse({ description: 'The range of time cannot be.' })
  @ApiConflictResponse({ description: 'One is under way already: `RECONCILIATION_RUNNING`.' })
  @Post('runs')
  async begin(
    @CurrentUser() { id }: SignedInMember,
    @Body() range: BeginReconciliationDto,
  ): Promise<ReconciliationRunDto | undefined> {
    const run = await this.commands.execute(new BeginReconciliation(id, range));
    return run && (await this.views.runs([run]))[0];
  }

  @ApiOperation({ summary: 'Say why a flagged difference is right, here and in the dollar books' })
  @ApiOkResponse({ type: ReconciliationLineDto })
  @ApiNotFoundResponse({ description: 'There is no such line.' })
  @ApiConflictResponse({ description: 'It is not flagged, or not any more: `NOT_FLAGGED`.' })
  @HttpCode(200)
  @Post('lines/:id/explain')
  async explain(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Param('id') subject: string,
    @Body() { reason, takenBy }: ExplainDifferenceDto,
    @RequestId() requestId: string,
  ): Promise<ReconciliationLineDto | undefined> {
    const line = await this.commands.execute(new ExplainDifference(subject, takenBy, { adminId, reason, requestId }));
    return line && (await this.views.lines([line]))[0];
  }

  @ApiOperation({ summary: 'Settle a flagged difference: credit the payment, or give back what its reversal took' })
  @ApiOkResponse({ type: ReconciliationLineDto })
  @ApiNotFoundResponse({ description: 'There is no such line.' })
  @ApiConflictResponse({ description: 'It is not flagged any more, or the ledger cannot settle it.' })
  @HttpCode(200)
  @Post('lines/:id/settle')
  async settle(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Param('id') subject: string,
    @Body() { reason }: SettleDifferenceDto,
    @RequestId() requestId: string,
  ): Promise<ReconciliationLineDto | undefined> {
    const line = await this.commands.execute(new SettleDifference(subject, { adminId, reason, requestId }));
    return line && (await this.views.lines([line]))[0];
  }
}

const pageOf = (query: { readonly page: number; readonly limit: number }) => ({
  limit: query.limit,
  offset: offsetOf(query),
});
