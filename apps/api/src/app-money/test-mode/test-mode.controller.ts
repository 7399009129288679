import { Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import { ClientSecretDto } from '../../oauth/application.dto.js';
import { ClientIdParam } from '../../oauth/client-id.js';
import { MakeTestSecret } from '../../oauth/test-mode/make-test-secret.js';
import { TestClients } from '../../oauth/test-mode/test-clients.js';
import { NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { ResetTestData } from './reset-test-data.js';
import { TestLedgers } from './test-ledgers.js';
import { TestModeDto } from './test-mode.dto.js';

/** The test mode of a developer's own application (rule apps-11). */
@ApiTags('OAuth: test mode')
@NeedsSession()
@Controller('api/oauth/application/:clientId/test-mode')
export class TestModeController {
  constructor(
    private readonly commands: CommandBus,
    private readonly clients: TestClients,
    private readonly ledgers: TestLedgers,
  ) {}

  @ApiOperation({ summary: 'The test client of an application, and its made-up members' })
  @ApiOkResponse({ type: TestModeDto })
  @ApiNotFoundResponse({ description: 'The member has no such application.' })
  @Get()
  async show(
    @CurrentUser() { id }: SignedInMember,
    @ClientIdParam('clientId') applicationId: string,
  ): Promise<TestModeDto> {
    const client = await this.clients.ownedBy(id, applicationId);
    const { clientId, hasSecret, members, resetsLeft } = client;
    const events = await this.ledgers.count(client);
    const { eventsMax } = this.ledgers;
    return { clientId, hasSecret, members: members.map((member) => ({ ...member })), events, eventsMax, resetsLeft };
  }

  @ApiOperation({ summary: 'Make a test secret, or another one; it is answered this once' })
  @ApiOkResponse({ type: ClientSecretDto })
  @ApiNotFoundResponse({ description: 'The member has no such application.' })
  @ApiConflictResponse({ description: 'The application is public and has no secret: `PUBLIC_CLIENT`.' })
  @Header('cache-control', 'no-store')
  @HttpCode(200)
  @Post('secret')
  makeSecret(
    @CurrentUser() { id }: SignedInMember,
    @ClientIdParam('clientId') applicationId: string,
  ): Promise<ClientSecretDto> {
    return this.commands.execute(new MakeTestSecret(id, applicationId));
  }

  @ApiOperation({
    summary: 'Reset the test data: made-up members, consents and tokens end, and others come in their place',
  })
  @ApiOkResponse({ type: TestModeDto })
  @ApiNotFoundResponse({ description: 'The member has no such application.' })
  @ApiTooManyRequestsResponse({ description: 'It was reset too often today: see `Retry-After`.' })
  @HttpCode(200)
  @Post('reset')
  async reset(
    @CurrentUser() member: SignedInMember,
    @ClientIdParam('clientId') applicationId: string,
  ): Promise<TestModeDto> {
    await this.commands.execute(new ResetTestData(member.id, applicationId));
    return this.show(member, applicationId);
  }
}
