import { Body, Controller, Get, Patch } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { TEXT_BODY_BYTES_MAX, TakesBody } from '../platform/http/bodies.js';
import { UpdateProfile } from './commands/update-profile.js';
import { ProfileChangesDto, ProfileDto } from './profile.dto.js';
import { GetProfile } from './queries/get-profile.js';

/** One's own profile (rule profiles-1). */
@ApiTags('Profile')
@NeedsSession()
@Controller('api/profile')
export class ProfileController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'One’s own profile with its figures' })
  @ApiOkResponse({ type: ProfileDto })
  @Get()
  read(@CurrentUser() { id }: SignedInMember): Promise<ProfileDto> {
    return this.queries.execute(new GetProfile(id));
  }

  @ApiOperation({ summary: 'Change name, bio, location or website' })
  @ApiOkResponse({ type: ProfileDto })
  @ApiBadRequestResponse({ description: 'A text is too long, or the website is not one.' })
  @TakesBody(TEXT_BODY_BYTES_MAX)
  @Patch()
  change(@CurrentUser() { id }: SignedInMember, @Body() changes: ProfileChangesDto): Promise<ProfileDto> {
    return this.commands.execute(new UpdateProfile(id, changes));
  }
}
