import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { type Call, CurrentCall } from '../../platform/current-call.js';
import { ListReceivables } from './list-receivables.js';
import { ReceivablesDto, ReceivablesQueryDto, WriteOffDto, WrittenOffDto } from './receivables.dto.js';
import { WriteOffReceivable } from './write-off-receivable.js';

/** What members owe for reversed purchases (rule ledger-40). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/receivables')
export class ReceivablesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'What members owe for reversed purchases, oldest first' })
  @ApiOkResponse({ type: ReceivablesDto })
  @Get()
  list(@Query() page: ReceivablesQueryDto): Promise<ReceivablesDto> {
    return this.queries.execute(new ListReceivables(page));
  }

  @ApiOperation({ summary: 'Give up what a member still owes for a reversed purchase' })
  @ApiCreatedResponse({ type: WrittenOffDto })
  @ApiNotFoundResponse({ description: 'There is no such receivable.' })
  @ApiConflictResponse({ description: 'Nothing of it is owed any more.' })
  @Post(':reversalId/write-off')
  writeOff(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Param('reversalId') reversalId: string,
    @Body() { reason }: WriteOffDto,
    @CurrentCall() call: Call,
  ): Promise<WrittenOffDto> {
    return this.commands.execute(new WriteOffReceivable(reversalId, { adminId, reason }, call));
  }
}
