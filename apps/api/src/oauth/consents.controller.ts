import { Body, Controller, Get, HttpCode, Patch, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MessageResponse } from '../identity/message.dto.js';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { type Config, InjectConfig } from '../platform/config.js';
import { ClientIdParam } from './client-id.js';
import { ChangeDailyLimit } from './commands/change-daily-limit.js';
import { DecideConsent } from './commands/decide-consent.js';
import { RevokeConsent } from './commands/revoke-consent.js';
import {
  AuthorizedApplicationsDto,
  ChangedDailyLimitDto,
  ClientInfoDto,
  ConsentDecisionDto,
  ConsentOutcomeDto,
  DailyLimitDto,
  RevokeConsentDto,
} from './consent.dto.js';
import { addressOf } from './provider/mount-provider.js';
import { GetClientInfo } from './queries/get-client-info.js';
import { ListAuthorizedApplications } from './queries/list-authorized-applications.js';

/** What a member lets applications do. */
@ApiTags('OAuth: members')
@NeedsSession()
@Controller('api/oauth')
export class ConsentsController {
  constructor(
    @InjectConfig() private readonly config: Config,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'The applications that the member has authorised, newest consent first' })
  @ApiOkResponse({ type: AuthorizedApplicationsDto })
  @Get('applications')
  authorized(@CurrentUser() { id }: SignedInMember): Promise<AuthorizedApplicationsDto> {
    return this.queries.execute(new ListAuthorizedApplications(id));
  }

  @ApiOperation({ summary: 'What the consent screen shows of an application' })
  @ApiOkResponse({ type: ClientInfoDto })
  @ApiNotFoundResponse({ description: 'The application is unknown, deleted or switched off.' })
  @Get('client-info/:client_id')
  clientInfo(
    @CurrentUser() { id }: SignedInMember,
    @ClientIdParam('client_id') clientId: string,
  ): Promise<ClientInfoDto> {
    return this.queries.execute(new GetClientInfo(id, clientId));
  }

  @ApiOperation({ summary: 'Decide on an authorization request; the browser goes on at redirect_url' })
  @ApiOkResponse({ type: ConsentOutcomeDto })
  @ApiBadRequestResponse({ description: 'The redirect URI is not registered.' })
  @ApiForbiddenResponse({ description: 'Another site sent this, or the application expects another member.' })
  @ApiNotFoundResponse({ description: 'The application is unknown, deleted or switched off.' })
  @HttpCode(200)
  @Post('consent')
  decide(
    @CurrentUser() member: SignedInMember,
    @Body() decision: ConsentDecisionDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConsentOutcomeDto> {
    const address = addressOf(request, this.config.publicUrl);
    const exchange = { request: request.raw, response: reply.raw, address };
    return this.commands.execute(new DecideConsent(member, decision, exchange));
  }

  @ApiOperation({ summary: "Take a consent back: the application's tokens for this member end at once" })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'The member has not authorised this application.' })
  @HttpCode(200)
  @Post('revoke')
  revoke(@CurrentUser() { id }: SignedInMember, @Body() { client_id }: RevokeConsentDto): Promise<MessageResponse> {
    return this.commands.execute(new RevokeConsent(id, client_id));
  }

  @ApiOperation({ summary: 'Change how much Nova an application may spend and transfer a UTC day' })
  @ApiOkResponse({ type: ChangedDailyLimitDto })
  @ApiBadRequestResponse({ description: 'The limit is out of range.' })
  @ApiNotFoundResponse({ description: 'The member has not authorised this application.' })
  @Patch('consents/:clientId')
  changeDailyLimit(
    @CurrentUser() member: SignedInMember,
    @ClientIdParam('clientId') clientId: string,
    @Body() { dailyLimit }: DailyLimitDto,
  ): Promise<ChangedDailyLimitDto> {
    return this.commands.execute(new ChangeDailyLimit(member, clientId, dailyLimit));
  }
}
