import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentDeveloper, type Developer, NeedsDeveloper } from '../oauth/needs-application.js';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import { CursorPageDto } from '../wallet/paging.dto.js';
import { ApplicationWalletDto, WalletMoveDto, WalletMovedDto, WalletStatementDto } from './application-wallet.dto.js';
import { MoveWalletNova } from './commands/move-wallet-nova.js';
import { GetApplicationWallet } from './queries/get-application-wallet.js';
import { ListWalletEntries } from './queries/list-wallet-entries.js';

/** The wallet of an application, for its developer (rule apps-8). */
@ApiTags('Application wallets')
@NeedsSession()
@ApiNotFoundResponse({ description: 'There is no such application of yours.' })
@Controller('api/oauth/application/:clientId/wallet')
export class ApplicationWalletController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'What the wallet of an application of yours holds, with totals' })
  @ApiOkResponse({ type: ApplicationWalletDto })
  @NeedsDeveloper('wallet:read')
  @Get()
  wallet(@CurrentDeveloper() { id }: Developer, @Param('clientId') clientId: string): Promise<ApplicationWalletDto> {
    return this.queries.execute(new GetApplicationWallet(id, clientId));
  }

  @ApiOperation({ summary: 'Put Nova of yours into the wallet' })
  @ApiCreatedResponse({ type: WalletMovedDto })
  @ApiBadRequestResponse({ description: 'No amount, or more than you have.' })
  @Post('fund')
  fund(
    @CurrentUser() { id }: SignedInMember,
    @Param('clientId') clientId: string,
    @Body() { amount }: WalletMoveDto,
    @CurrentCall() call: Call,
  ): Promise<WalletMovedDto> {
    return this.commands.execute(new MoveWalletNova('fund', { ownerId: id, clientId, amount }, call));
  }

  @ApiOperation({ summary: 'Take Nova out of the wallet' })
  @ApiCreatedResponse({ type: WalletMovedDto })
  @ApiBadRequestResponse({ description: 'No amount, or more than the wallet holds.' })
  @Post('withdraw')
  withdraw(
    @CurrentUser() { id }: SignedInMember,
    @Param('clientId') clientId: string,
    @Body() { amount }: WalletMoveDto,
    @CurrentCall() call: Call,
  ): Promise<WalletMovedDto> {
    return this.commands.execute(new MoveWalletNova('withdraw', { ownerId: id, clientId, amount }, call));
  }

  @ApiOperation({ summary: 'What went in and out of the wallet, newest first' })
  @ApiOkResponse({ type: WalletStatementDto })
  @NeedsDeveloper('wallet:read')
  @Get('statement')
  statement(
    @CurrentDeveloper() { id }: Developer,
    @Param('clientId') clientId: string,
    @Query() page: CursorPageDto,
  ): Promise<WalletStatementDto> {
    return this.queries.execute(new ListWalletEntries({ ownerId: id, clientId }, page));
  }
}
