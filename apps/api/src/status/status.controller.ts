import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Money } from '@app/domain';
import { RateChat } from '../chats/commands/rate-chat.js';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import { BurnTokens, BurnTokensDto } from './commands/burn-tokens.js';
import { CreateTestPerks } from './commands/create-test-perks.js';
import { RATING_PER_STAR, SubmitRatingDto } from './commands/submit-rating.dto.js';
import { GetDashboard } from './queries/get-dashboard.js';
import { GetInfluence } from './queries/get-influence.js';
import { GetNovaBreakdown } from './queries/get-nova-breakdown.js';
import { ListPendingRatings } from './queries/list-pending-ratings.js';
import {
  BurnedTokensDto,
  DashboardDto,
  InfluenceInventoryDto,
  NovaBreakdownDto,
  PendingRatingDto,
  SubmittedRatingDto,
  TestPerksDto,
} from './status.dto.js';

/** The status dashboard. */
@ApiTags('Status')
@NeedsSession()
@Controller('api')
export class StatusController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'What a member’s tokens are worth, and what waits for them' })
  @ApiOkResponse({ type: DashboardDto })
  @Get(['status/dashboard', 'status-dashboard'])
  dashboard(@CurrentUser() member: SignedInMember): Promise<DashboardDto> {
    return this.queries.execute(new GetDashboard(member.id));
  }

  @ApiOperation({ summary: 'Successful chats that wait for one’s rating, the oldest first' })
  @ApiOkResponse({ type: [PendingRatingDto] })
  @Get('status/pending-ratings')
  pendingRatings(@CurrentUser() member: SignedInMember): Promise<PendingRatingDto[]> {
    return this.queries.execute(new ListPendingRatings(member.id));
  }

  @ApiOperation({ summary: 'Where one’s Nova is' })
  @ApiOkResponse({ type: NovaBreakdownDto })
  @Get('status/nova-breakdown')
  novaBreakdown(@CurrentUser() member: SignedInMember): Promise<NovaBreakdownDto> {
    return this.queries.execute(new GetNovaBreakdown(member.id));
  }

  @ApiOperation({ summary: 'Influence, Karma and threads: what one holds, and what they have brought' })
  @ApiOkResponse({ type: InfluenceInventoryDto })
  @Get('status/influence')
  influence(@CurrentUser() member: SignedInMember): Promise<InfluenceInventoryDto> {
    return this.queries.execute(new GetInfluence(member.id));
  }

  @ApiOperation({ summary: 'Rate a chat from 1 to 10, which releases one’s reward' })
  @ApiOkResponse({ type: SubmittedRatingDto })
  @ApiNotFoundResponse({ description: 'There is no such chat of the caller’s.' })
  @ApiConflictResponse({ description: 'The chat was rated already, is not successful, or rating has closed.' })
  @HttpCode(200)
  @Post('status/submit-rating')
  async submitRating(
    @CurrentUser() member: SignedInMember,
    @Body() { chatId, rating, comment }: SubmitRatingDto,
    @CurrentCall() call: Call,
  ): Promise<SubmittedRatingDto> {
    const given = { rating: rating * RATING_PER_STAR, comment: comment ?? null, explanation: null, follow: false };
    const { rewardsReleased, influencePointsEarned } = await this.commands.execute(
      new RateChat(chatId, given, { memberId: member.id, ...call }),
    );
    return { message: releasedSentence(rewardsReleased, influencePointsEarned), rewardsReleased };
  }

  @ApiOperation({ summary: 'Something to test burning with, where the installation allows it' })
  @ApiOkResponse({ type: TestPerksDto })
  @ApiForbiddenResponse({ description: 'Test perks are switched off: `TEST_PERKS_OFF`.' })
  @HttpCode(200)
  @Post('status/create-test-perks')
  createTestPerks(@CurrentUser() member: SignedInMember, @CurrentCall() call: Call): Promise<TestPerksDto> {
    return this.commands.execute(new CreateTestPerks(member.id, call));
  }

  @ApiOperation({ summary: 'Burn earned Nova, Karma and Influence for Seyvn' })
  @ApiOkResponse({ type: BurnedTokensDto })
  @ApiBadRequestResponse({ description: 'Nothing to burn, or more than one has.' })
  @HttpCode(200)
  @Post('status/burn-tokens')
  burnTokens(
    @CurrentUser() member: SignedInMember,
    @Body() amounts: BurnTokensDto,
    @CurrentCall() call: Call,
  ): Promise<BurnedTokensDto> {
    return this.commands.execute(new BurnTokens(member.id, amounts, call));
  }
}

function releasedSentence(nova: number, influence: number): string {
  const parts = [
    ...(nova > 0 ? [`${Money.fromNumber(nova).toString()} Nova`] : []),
    ...(influence > 0 ? [`${influence} Influence`] : []),
  ];
  return parts.length === 0 ? 'Thank you for your rating.' : `You received ${parts.join(' and ')}.`;
}
