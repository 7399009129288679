import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { AccessToken } from '../oauth/access-tokens.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import { CursorPageDto } from '../wallet/paging.dto.js';
import { ActingApplication } from './acting-application.js';
import { MoveTokens } from './commands/move-tokens.js';
import { TransferTokens } from './commands/transfer-tokens.js';
import { NeedsToken } from './needs-token.js';
import { GetTokenBalances } from './queries/get-token-balances.js';
import { ListTokenTransactions } from './queries/list-token-transactions.js';
import {
  TokenBalancesDto,
  TokenMovementDoneDto,
  TokenMovementDto,
  TokensSpentDto,
  TokensTransferredDto,
  TokenTransactionsDto,
  TokenTransferDto,
} from './app-money.dto.js';

/** What applications do for a member with an access token. */
@ApiTags('Token API')
@Controller('api')
export class TokensController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: "The member's balances, as far as the token's scopes show them" })
  @ApiOkResponse({ type: TokenBalancesDto })
  @NeedsToken('nova', 'karma', 'influence')
  @Get('oauth/token-balances')
  balances(@ActingApplication() by: AccessToken): Promise<TokenBalancesDto> {
    return this.queries.execute(new GetTokenBalances(by));
  }

  @ApiOperation({ summary: "Spend the member's Nova at the application: it goes to the application's wallet" })
  @ApiCreatedResponse({ type: TokensSpentDto })
  @ApiBadRequestResponse({ description: 'The amount is out of range or beyond the balance.' })
  @ApiForbiddenResponse({
    description:
      'The amount is beyond the daily limit, the member is the developer, or a payment dispute of theirs is open.',
  })
  @NeedsToken('nova')
  @Post('tokens/spend')
  spend(
    @ActingApplication() by: AccessToken,
    @Body() body: TokenMovementDto,
    @CurrentCall() call: Call,
  ): Promise<TokensSpentDto> {
    return this.commands.execute(new MoveTokens('spend', by, body, call)) as Promise<TokensSpentDto>;
  }

  @ApiOperation({ summary: "Pay the member from the application's wallet" })
  @ApiCreatedResponse({ type: TokenMovementDoneDto })
  @ApiBadRequestResponse({ description: 'The amount is out of range, or more than the wallet holds.' })
  @ApiForbiddenResponse({ description: 'A payment dispute of the developer is open.' })
  @NeedsToken('nova')
  @Post('tokens/earn')
  earn(
    @ActingApplication() by: AccessToken,
    @Body() body: TokenMovementDto,
    @CurrentCall() call: Call,
  ): Promise<TokenMovementDoneDto> {
    return this.commands.execute(new MoveTokens('earn', by, body, call));
  }

  @ApiOperation({ summary: 'Send a gift of the member: half to the recipient, half to the holders of Influence' })
  @ApiCreatedResponse({ type: TokensTransferredDto })
  @ApiBadRequestResponse({ description: 'The amount is out of range or beyond the balance, or to oneself.' })
  @ApiForbiddenResponse({
    description: 'The amount is beyond the daily limit, or a payment dispute of the member is open.',
  })
  @ApiNotFoundResponse({ description: 'There is no such recipient.' })
  @NeedsToken('nova')
  @Post('tokens/transfer')
  transfer(
    @ActingApplication() by: AccessToken,
    @Body() body: TokenTransferDto,
    @CurrentCall() call: Call,
  ): Promise<TokensTransferredDto> {
    return this.commands.execute(new TransferTokens(by, body, call));
  }

  @ApiOperation({ summary: 'What this application did with the Nova of this member, newest first' })
  @ApiOkResponse({ type: TokenTransactionsDto })
  @NeedsToken('nova')
  @Get('tokens/transactions')
  transactions(@ActingApplication() by: AccessToken, @Query() page: CursorPageDto): Promise<TokenTransactionsDto> {
    return this.queries.execute(new ListTokenTransactions(by, page));
  }
}
