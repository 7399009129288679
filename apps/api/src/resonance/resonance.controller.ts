import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBadRequestResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { TEXT_BODY_BYTES_MAX, TakesBody } from '../platform/http/bodies.js';
import { ResonanceDraftDto, SaveResonance } from './commands/save-resonance.js';
import { GetResonance } from './queries/get-resonance.js';
import { ResonanceDto } from './resonance.dto.js';

/** One's own Resonance profile. */
@ApiTags('Resonance')
@NeedsSession()
@Controller('api/resonance')
export class ResonanceController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'Horizon, the fifteen scores and both lists of traits' })
  @ApiOkResponse({ type: ResonanceDto })
  @ApiNotFoundResponse({ description: 'None was saved yet.' })
  @Get()
  read(@CurrentUser() member: SignedInMember): Promise<ResonanceDto> {
    return this.queries.execute(new GetResonance(member.id));
  }

  @ApiOperation({ summary: 'Save the profile as a whole' })
  @ApiOkResponse({ type: ResonanceDto })
  @ApiBadRequestResponse({ description: 'A score, the horizon or a trait is not one; nothing was stored.' })
  @HttpCode(200)
  @TakesBody(TEXT_BODY_BYTES_MAX)
  @Post()
  save(@CurrentUser() member: SignedInMember, @Body() draft: ResonanceDraftDto): Promise<ResonanceDto> {
    return this.commands.execute(new SaveResonance(member.id, draft));
  }
}
