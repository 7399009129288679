import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { ProvenApplication } from '../oauth/application-credentials.js';
import { CurrentApplication, NeedsApplication } from '../oauth/needs-application.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import { GRANTS_BODY_BYTES_MAX, TakesBody } from '../platform/http/bodies.js';
import { CursorPageDto } from '../wallet/paging.dto.js';
import { BulkPaidDto, BulkPaymentsDto } from './app-money.dto.js';
import { ApplicationWalletDto, WalletStatementDto } from './application-wallet.dto.js';
import { EarnInBulk } from './commands/earn-in-bulk.js';
import { GetApplicationWallet } from './queries/get-application-wallet.js';
import { ListWalletEntries } from './queries/list-wallet-entries.js';

/** What applications do in their own name, with a secret or a token of their own (rule apps-10). */
@ApiTags('Token API')
@Controller('api/tokens')
export class OwnNameController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'Pay many members from the application’s wallet: all of them or none' })
  @ApiCreatedResponse({ type: BulkPaidDto })
  @ApiBadRequestResponse({ description: 'An amount is out of range, or they are more than the wallet holds.' })
  @ApiForbiddenResponse({
    description:
      'A member has not consented to scope nova (`CONSENT_MISSING`, with `items`), or a payment dispute of the developer is open.',
  })
  @NeedsApplication('wallet:pay')
  @TakesBody(GRANTS_BODY_BYTES_MAX)
  @Post('earn/bulk')
  earnInBulk(
    @CurrentApplication() by: ProvenApplication,
    @Body() { items }: BulkPaymentsDto,
    @CurrentCall() call: Call,
  ): Promise<BulkPaidDto> {
    return this.commands.execute(new EarnInBulk(by, items, call));
  }

  @ApiOperation({ summary: 'What the application’s wallet holds, with totals' })
  @ApiOkResponse({ type: ApplicationWalletDto })
  @NeedsApplication('wallet:read')
  @Get('wallet')
  wallet(@CurrentApplication() { ownerId, clientId }: ProvenApplication): Promise<ApplicationWalletDto> {
    return this.queries.execute(new GetApplicationWallet(ownerId, clientId));
  }

  @ApiOperation({ summary: 'What went in and out of the application’s wallet, newest first' })
  @ApiOkResponse({ type: WalletStatementDto })
  @NeedsApplication('wallet:read')
  @Get('wallet/statement')
  statement(@CurrentApplication() by: ProvenApplication, @Query() page: CursorPageDto): Promise<WalletStatementDto> {
    return this.queries.execute(new ListWalletEntries(by, page));
  }
}
