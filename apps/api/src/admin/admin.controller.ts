import { Body, Controller, Get, Header, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { AdminOnly, NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import { RequestId } from '../platform/http/request-id.js';
import { IdParam } from '../platform/id-param.js';
import { ApiTextFile } from '../platform/openapi/api-file.js';
import {
  AdjustedNovaDto,
  AdminEventDetailsDto,
  AdminStatsDto,
  AdminTransactionsDto,
  AdminUsersDto,
} from './admin.dto.js';
import { MayWait, type WaitingActDto } from './approvals/approvals.dto.js';
import { AdjustNova, AdjustNovaDto } from './commands/adjust-nova.js';
import { LiftFreeze } from './commands/lift-freeze.js';
import { CSV_TYPE } from './csv.js';
import { ExportTransactions, TRANSACTIONS_CSV_EXAMPLE } from './queries/export-transactions.js';
import { GetEvent } from './queries/get-event.js';
import { GetAdminStats } from './queries/get-stats.js';
import { ListAllTransactions } from './queries/list-all-transactions.js';
import { AdminUsersQueryDto, ListUsers } from './queries/list-users.js';
import { TransactionFilterDto, TransactionListDto } from './transaction-filter.dto.js';

/** The Admin Panel's own calls (rule admin-1). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin')
export class AdminController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'Figures of the whole platform' })
  @ApiOkResponse({ type: AdminStatsDto })
  @Get('stats')
  stats(): Promise<AdminStatsDto> {
    return this.queries.execute(new GetAdminStats());
  }

  @ApiOperation({ summary: 'Members, newest first' })
  @ApiOkResponse({ type: AdminUsersDto })
  @Get('users')
  users(@Query() page: AdminUsersQueryDto): Promise<AdminUsersDto> {
    return this.queries.execute(new ListUsers(page));
  }

  @ApiOperation({ summary: 'Add Nova to a member' })
  @ApiCreatedResponse({ type: AdjustedNovaDto })
  @ApiNotFoundResponse({ description: 'There is no such member.' })
  @MayWait()
  @Post('users/:id/add-nova')
  addNova(
    @CurrentUser() admin: SignedInMember,
    @IdParam('id', 'This user') userId: string,
    @Body() adjustment: AdjustNovaDto,
    @CurrentCall() call: Call,
  ): Promise<AdjustedNovaDto | WaitingActDto> {
    return this.adjust('add', { admin, userId, adjustment, call });
  }

  @ApiOperation({ summary: 'Deduct Nova from a member: earned first, then purchased' })
  @ApiCreatedResponse({ type: AdjustedNovaDto })
  @ApiBadRequestResponse({ description: 'The amount exceeds the balance.' })
  @ApiNotFoundResponse({ description: 'There is no such member.' })
  @MayWait()
  @Post('users/:id/deduct-nova')
  deductNova(
    @CurrentUser() admin: SignedInMember,
    @IdParam('id', 'This user') userId: string,
    @Body() adjustment: AdjustNovaDto,
    @CurrentCall() call: Call,
  ): Promise<AdjustedNovaDto | WaitingActDto> {
    return this.adjust('deduct', { admin, userId, adjustment, call });
  }

  @ApiOperation({ summary: 'Let a member spend again after a payment dispute' })
  @ApiCreatedResponse({ type: AdjustedNovaDto })
  @Post('users/:id/lift-freeze')
  liftFreeze(
    @CurrentUser() admin: SignedInMember,
    @IdParam('id', 'This user') userId: string,
    @RequestId() requestId: string,
  ): Promise<AdjustedNovaDto> {
    return this.commands.execute(new LiftFreeze(admin.id, userId, requestId));
  }

  @ApiOperation({ summary: "Every member's transactions by time" })
  @ApiOkResponse({ type: AdminTransactionsDto })
  @Get('transactions')
  transactions(@Query() filter: TransactionListDto): Promise<AdminTransactionsDto> {
    return this.queries.execute(new ListAllTransactions(filter));
  }

  /** UTF-8 with a byte order mark, RFC 4180. Text that a spreadsheet would take for a formula begins with an apostrophe. */
  @ApiOperation({ summary: 'All transactions that match, as CSV' })
  @ApiTextFile({ 'text/csv': TRANSACTIONS_CSV_EXAMPLE })
  @Header('cache-control', 'no-store')
  @Get('transactions.csv')
  async export(@Query() filter: TransactionFilterDto): Promise<StreamableFile> {
    const stream = await this.queries.execute(new ExportTransactions(filter));
    const day = new Date().toISOString().slice(0, 10);
    return new StreamableFile(stream, {
      type: CSV_TYPE,
      disposition: `attachment; filename="nova-transactions-${day}.csv"`,
    });
  }

  @ApiOperation({ summary: 'An event of the journal, with entries, actor, cause and hash' })
  @ApiOkResponse({ type: AdminEventDetailsDto })
  @ApiNotFoundResponse({ description: 'There is no such event.' })
  @Get('events/:id')
  event(@Param('id') id: string): Promise<AdminEventDetailsDto> {
    return this.queries.execute(new GetEvent(id));
  }

  private adjust(
    direction: 'add' | 'deduct',
    {
      admin,
      userId,
      adjustment,
      call,
    }: {
      readonly admin: SignedInMember;
      readonly userId: string;
      readonly adjustment: AdjustNovaDto;
      readonly call: Call;
    },
  ): Promise<AdjustedNovaDto | WaitingActDto> {
    return this.commands.execute(
      new AdjustNova(
        direction,
        {
          adminId: admin.id,
          userId,
          amount: adjustment.amount,
          // No reason and an empty one are the same.
          reason: adjustment.reason || undefined,
        },
        call,
      ),
    );
  }
}
