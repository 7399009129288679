import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBadRequestResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../platform/auth/access.js';
import { type Config, InjectConfig } from '../../platform/config.js';
import { applicationNotFound } from '../application-not-found.js';
import { ClientIdParam } from '../client-id.js';
import { ConsentOutcomeDto } from '../consent.dto.js';
import { DAILY_LIMIT_DEFAULT } from '../limits.js';
import { addressOf } from '../provider/mount-provider.js';
import { DecideTestConsent } from './decide-test-consent.js';
import { TestClients } from './test-clients.js';
import { TestConsentDecisionDto, TestConsentScreenDto } from './test-consent.dto.js';

/** The consent screen of test mode: nobody is signed in, and made-up members alone decide (rule apps-11). */
@ApiTags('OAuth: test mode')
@Public()
@Controller('api/oauth/test-consent')
export class TestConsentController {
  constructor(
    @InjectConfig() private readonly config: Config,
    private readonly commands: CommandBus,
    private readonly clients: TestClients,
  ) {}

  @ApiOperation({ summary: 'What the consent screen of test mode shows' })
  @ApiOkResponse({ type: TestConsentScreenDto })
  @ApiNotFoundResponse({ description: 'There is no such test client, or its application is switched off.' })
  @Get(':clientId')
  async screen(@ClientIdParam('clientId') clientId: string): Promise<TestConsentScreenDto> {
    const client = await this.clients.find(clientId);
    if (!client?.application.isActive) throw applicationNotFound();
    const { name, logoUrl, scopes } = client.application;
    return {
      name,
      logoUrl,
      scopes: [...scopes],
      dailyLimit: DAILY_LIMIT_DEFAULT,
      members: client.members.map((member) => ({ ...member })),
    };
  }

  @ApiOperation({ summary: 'Decide as a made-up member; the browser goes on at redirect_url' })
  @ApiOkResponse({ type: ConsentOutcomeDto })
  @ApiBadRequestResponse({ description: 'The redirect URI is not registered, or the member is none of the three.' })
  @ApiNotFoundResponse({ description: 'There is no such test client, or its application is switched off.' })
  @HttpCode(200)
  @Post()
  decide(
    @Body() decision: TestConsentDecisionDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConsentOutcomeDto> {
    const address = addressOf(request, this.config.publicUrl);
    return this.commands.execute(
      new DecideTestConsent(decision, { request: request.raw, response: reply.raw, address }),
    );
  }
}
