import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { GetBalance } from './queries/get-balance.js';
import { GetTransactionTotals } from './queries/get-transaction-totals.js';
import { StatementFilterDto } from './queries/statement-filter.dto.js';
import { GetTransaction } from './queries/get-transaction.js';
import { ListTransactions, TransactionsQueryDto } from './queries/list-transactions.js';
import { BalanceDto, EventDetailsDto, TransactionsPageDto, TransactionTotalsDto } from './wallet.dto.js';

/** One's own Nova. */
@ApiTags('Wallet')
@NeedsSession()
@Controller('api/nova')
export class WalletController {
  constructor(private readonly queries: QueryBus) {}

  @ApiOperation({ summary: 'What one has, by where it came from' })
  @ApiOkResponse({ type: BalanceDto })
  @Get('balance')
  balance(@CurrentUser() { id }: SignedInMember): Promise<BalanceDto> {
    return this.queries.execute(new GetBalance(id));
  }

  @ApiOperation({ summary: "One's statement, newest first" })
  @ApiOkResponse({ type: TransactionsPageDto })
  @Get('transactions')
  transactions(
    @CurrentUser() { id }: SignedInMember,
    @Query() page: TransactionsQueryDto,
  ): Promise<TransactionsPageDto> {
    return this.queries.execute(new ListTransactions(id, page));
  }

  @ApiOperation({ summary: 'How many movements a filter of the statement finds, and what they add up to' })
  @ApiOkResponse({ type: TransactionTotalsDto })
  @Get('transactions/totals')
  totals(@CurrentUser() { id }: SignedInMember, @Query() filter: StatementFilterDto): Promise<TransactionTotalsDto> {
    return this.queries.execute(new GetTransactionTotals(id, filter));
  }

  @ApiOperation({ summary: "The event behind a row of one's statement, by the id of the row or of the event" })
  @ApiOkResponse({ type: EventDetailsDto })
  @ApiNotFoundResponse({ description: 'It does not exist, or it is not yours.' })
  @Get('transactions/:id')
  transaction(@CurrentUser() member: SignedInMember, @Param('id') id: string): Promise<EventDetailsDto> {
    return this.queries.execute(new GetTransaction(member.id, id));
  }
}
