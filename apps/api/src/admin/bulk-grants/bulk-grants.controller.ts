import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { AdminOnly, NeedsNoFreshProof, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { GRANTS_BODY_BYTES_MAX, TakesBody } from '../../platform/http/bodies.js';
import { notFound } from '../../platform/errors/app-error.js';
import { RequestId } from '../../platform/http/request-id.js';
import { IdParam } from '../../platform/id-param.js';
import { Approvals } from '../approvals/approvals.js';
import { MayWait, type WaitingActDto } from '../approvals/approvals.dto.js';
import { ApplyBulkGrants } from './apply-bulk-grants.js';
import { BulkBatches } from './bulk-batches.js';
import {
  ApplyBulkGrantsDto,
  BulkBatchesDto,
  BulkBatchesQueryDto,
  BulkResultDto,
  BulkVerdictDto,
  CheckBulkGrantsDto,
} from './bulk-grants.dto.js';
import { CheckBulkGrants } from './check-bulk-grants.js';
import { WaitingFiles } from './waiting-files.js';

/** Grants of Nova to many members at once, from a file (rule admin-16). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/bulk-grants')
export class BulkGrantsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly batches: BulkBatches,
    private readonly files: WaitingFiles,
    private readonly approvals: Approvals,
  ) {}

  @ApiOperation({ summary: 'What would become of each row of a file of grants; nothing is written' })
  @ApiOkResponse({ type: BulkVerdictDto })
  @ApiBadRequestResponse({ description: 'The file as a whole cannot be read.' })
  @HttpCode(200)
  @TakesBody(GRANTS_BODY_BYTES_MAX)
  @NeedsNoFreshProof()
  @Post('check')
  check(@CurrentUser() { id }: SignedInMember, @Body() { csv }: CheckBulkGrantsDto): Promise<BulkVerdictDto> {
    return this.queries.execute(new CheckBulkGrants(csv, id));
  }

  @ApiOperation({ summary: 'Grant a file: every row or none, or every row that can be granted' })
  @ApiCreatedResponse({ type: BulkResultDto })
  @ApiBadRequestResponse({ description: 'The file cannot be read, or a row of an atomic batch cannot be granted.' })
  @ApiConflictResponse({ description: 'This file was already granted: `FILE_GRANTED_BEFORE`.' })
  @ApiUnprocessableEntityResponse({ description: 'This batch id belongs to another file.' })
  @TakesBody(GRANTS_BODY_BYTES_MAX)
  @MayWait()
  @Post()
  apply(
    @CurrentUser() { id }: SignedInMember,
    @Body() request: ApplyBulkGrantsDto,
    @RequestId() requestId: string,
  ): Promise<BulkResultDto | WaitingActDto> {
    return this.commands.execute(new ApplyBulkGrants(request, id, requestId));
  }

  @ApiOperation({ summary: 'The rows of a file that waits for a second admin, and what would become of each now' })
  @ApiOkResponse({ type: BulkVerdictDto })
  @ApiNotFoundResponse({ description: 'No such file waits.' })
  @Get('waiting/:id')
  async waiting(@IdParam('id', 'This file') approvalId: string): Promise<BulkVerdictDto> {
    const [file, approval] = await Promise.all([this.files.find(approvalId), this.approvals.find(approvalId)]);
    if (!file || !approval) throw notFound('This file');
    return this.queries.execute(new CheckBulkGrants(file.csv, approval.request.adminId, file.memberIds));
  }

  @ApiOperation({ summary: 'Batches of grants, newest first' })
  @ApiOkResponse({ type: BulkBatchesDto })
  @Get()
  list(@Query() page: BulkBatchesQueryDto): Promise<BulkBatchesDto> {
    return this.batches.page(page);
  }
}
