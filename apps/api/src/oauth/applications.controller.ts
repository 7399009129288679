import { Body, Controller, Delete, Get, Header, HttpCode, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { MessageResponse } from '../identity/message.dto.js';
import { NeedsFreshProof, NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { toApplicationDto } from './application-view.js';
import {
  ApplicationChangesDto,
  ApplicationDto,
  ClientIdDto,
  ClientSecretDto,
  RegisterApplicationDto,
  RegisteredApplicationDto,
} from './application.dto.js';
import { Applications } from './applications.js';
import { ClientIdParam } from './client-id.js';
import { DeleteApplication } from './commands/delete-application.js';
import { RegenerateSecret } from './commands/regenerate-secret.js';
import { RegisterApplication } from './commands/register-application.js';
import { UpdateApplication } from './commands/update-application.js';

/** A developer's own applications. */
@ApiTags('OAuth: developers')
@NeedsSession()
@Controller('api/oauth')
export class ApplicationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly applications: Applications,
  ) {}

  @ApiOperation({ summary: "The member's own applications, newest first" })
  @ApiOkResponse({ type: [ApplicationDto] })
  @Get('my-applications')
  async own(@CurrentUser() { id }: SignedInMember): Promise<ApplicationDto[]> {
    return (await this.applications.allOf(id)).map(toApplicationDto);
  }

  @ApiOperation({ summary: 'Register an application; its secret is answered this once' })
  @ApiCreatedResponse({ type: RegisteredApplicationDto })
  @ApiBadRequestResponse({ description: 'A field is missing, or an address cannot be used.' })
  @ApiConflictResponse({ description: 'The member has as many applications as there may be: `TOO_MANY_APPLICATIONS`.' })
  @Header('cache-control', 'no-store')
  @NeedsFreshProof()
  @Post('register-app')
  register(
    @CurrentUser() { id }: SignedInMember,
    @Body() application: RegisterApplicationDto,
  ): Promise<RegisteredApplicationDto> {
    return this.commands.execute(new RegisterApplication(id, application));
  }

  @ApiOperation({ summary: 'Change an application, or switch it off and on' })
  @ApiOkResponse({ type: ApplicationDto })
  @ApiBadRequestResponse({ description: 'A field cannot be used.' })
  @ApiForbiddenResponse({ description: 'For other redirect URIs a member with a passkey must use it first.' })
  @ApiNotFoundResponse({ description: 'The member has no such application.' })
  @Patch('application/:clientId')
  update(
    @CurrentUser() member: SignedInMember,
    @ClientIdParam('clientId') clientId: string,
    @Body() changes: ApplicationChangesDto,
  ): Promise<ApplicationDto> {
    return this.commands.execute(new UpdateApplication(member, clientId, changes));
  }

  @ApiOperation({ summary: 'Replace the secret; it is answered this once, and the old one is refused from now on' })
  @ApiOkResponse({ type: ClientSecretDto })
  @ApiNotFoundResponse({ description: 'The member has no such application.' })
  @ApiConflictResponse({ description: 'The application is public and has no secret: `PUBLIC_CLIENT`.' })
  @Header('cache-control', 'no-store')
  @HttpCode(200)
  @NeedsFreshProof()
  @Post('regenerate-secret')
  regenerateSecret(@CurrentUser() { id }: SignedInMember, @Body() { clientId }: ClientIdDto): Promise<ClientSecretDto> {
    return this.commands.execute(new RegenerateSecret(id, clientId));
  }

  @ApiOperation({ summary: 'Delete an application with all its tokens; its wallet must be empty' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'The member has no such application.' })
  @ApiConflictResponse({ description: 'Its wallet still holds Nova.' })
  @Delete('application/:clientId')
  delete(@CurrentUser() { id }: SignedInMember, @ClientIdParam('clientId') clientId: string): Promise<MessageResponse> {
    return this.commands.execute(new DeleteApplication(id, clientId));
  }
}
