import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { TEXT_BODY_BYTES_MAX, TakesBody } from '../platform/http/bodies.js';
import { DescribeOneself } from './commands/describe-oneself.js';
import { SelfDescriptionChangesDto, SelfDescriptionResponse } from './self-description.dto.js';

/** What one's profile card says (rule profiles-3). */
@ApiTags('Profile')
@NeedsSession()
@Controller('api/users')
export class SelfDescriptionController {
  constructor(private readonly commands: CommandBus) {}

  @ApiOperation({ summary: 'Change mood, status, occupation, ambitions or relationship status' })
  @ApiOkResponse({ type: SelfDescriptionResponse })
  @ApiBadRequestResponse({ description: 'A text is too long, or a choice is none of the options.' })
  @HttpCode(200)
  @TakesBody(TEXT_BODY_BYTES_MAX)
  @Post('update-profile')
  describe(
    @CurrentUser() { id }: SignedInMember,
    @Body() changes: SelfDescriptionChangesDto,
  ): Promise<SelfDescriptionResponse> {
    return this.commands.execute(new DescribeOneself(id, changes));
  }
}
