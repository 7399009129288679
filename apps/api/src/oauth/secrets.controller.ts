import { Body, Controller, Delete, Get, Header, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { NeedsFreshProof, NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { IdParam } from '../platform/id-param.js';
import { ApplicationSecrets } from './application-secrets.js';
import { Applications } from './applications.js';
import { ClientIdParam } from './client-id.js';
import { CreateSecret, RevokeSecret } from './commands/change-secrets.js';
import { MadeSecretDto, NewSecretNameDto, SecretsDto } from './credential.dto.js';
import { toSecretDto } from './credential-view.js';

/** The secrets of a developer's own application (rule oauth-26). No secret makes or ends another: only its developer does. */
@ApiTags('OAuth: developers')
@NeedsSession()
@ApiNotFoundResponse({ description: 'There is no such application of yours, or it has no such secret.' })
@Controller('api/oauth/application/:clientId/secrets')
export class SecretsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly applications: Applications,
    private readonly secrets: ApplicationSecrets,
  ) {}

  @ApiOperation({ summary: 'The secrets of an application of yours: names, when they were made and last used' })
  @ApiOkResponse({ type: SecretsDto })
  @Get()
  async list(@CurrentUser() { id }: SignedInMember, @ClientIdParam('clientId') clientId: string): Promise<SecretsDto> {
    await this.applications.ownedBy(id, clientId);
    return { secrets: (await this.secrets.ofApplication(clientId)).map(toSecretDto) };
  }

  @ApiOperation({ summary: 'Make a second secret, answered this once; the first stays valid' })
  @ApiCreatedResponse({ type: MadeSecretDto })
  @ApiBadRequestResponse({ description: 'No name, or one that cannot be used.' })
  @ApiConflictResponse({ description: 'The application has two secrets, or is public.' })
  @Header('cache-control', 'no-store')
  @NeedsFreshProof()
  @Post()
  create(
    @CurrentUser() { id }: SignedInMember,
    @ClientIdParam('clientId') clientId: string,
    @Body() { name }: NewSecretNameDto,
  ): Promise<MadeSecretDto> {
    return this.commands.execute(new CreateSecret(id, clientId, name));
  }

  @ApiOperation({ summary: 'Revoke one of two secrets: it proves nothing from now on' })
  @ApiNoContentResponse()
  @ApiConflictResponse({ description: 'It is the only one: `LAST_SECRET`.' })
  @HttpCode(204)
  @NeedsFreshProof()
  @Delete(':id')
  revoke(
    @CurrentUser() { id: ownerId }: SignedInMember,
    @ClientIdParam('clientId') clientId: string,
    @IdParam('id', 'This secret') id: string,
  ): Promise<void> {
    return this.commands.execute(new RevokeSecret(ownerId, clientId, id));
  }
}
