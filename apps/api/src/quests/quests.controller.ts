import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiConflictResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import { IdParam } from '../platform/id-param.js';
import { ClaimQuest } from './commands/claim-quest.js';
import { GetQuestProgress } from './queries/get-quest-progress.js';
import { ListQuests } from './queries/list-quests.js';
import { ClaimedRewardDto, QuestProgressListDto, QuestsDto } from './quests.dto.js';

/** Daily quests. */
@ApiTags('Quests')
@NeedsSession()
@Controller('api/quests')
export class QuestsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'Quests that run, and those that ended within 24 hours' })
  @ApiOkResponse({ type: QuestsDto })
  @Get()
  list(@CurrentUser() member: SignedInMember): Promise<QuestsDto> {
    return this.queries.execute(new ListQuests(member));
  }

  @ApiOperation({ summary: 'How far I am with each of them' })
  @ApiOkResponse({ type: QuestProgressListDto })
  @Get('progress')
  progress(@CurrentUser() member: SignedInMember): Promise<QuestProgressListDto> {
    return this.queries.execute(new GetQuestProgress(member.id));
  }

  @ApiOperation({ summary: 'Claim the reward of a completed quest, once' })
  @ApiOkResponse({ type: ClaimedRewardDto })
  @ApiNotFoundResponse({ description: 'There is no such quest, or it has not begun.' })
  @ApiConflictResponse({ description: 'It is not completed, was claimed before, or the time to claim it is over.' })
  @HttpCode(200)
  @Post(':id/claim')
  claim(
    @CurrentUser() member: SignedInMember,
    @IdParam('id', 'This quest') questId: string,
    @CurrentCall() call: Call,
  ): Promise<ClaimedRewardDto> {
    return this.commands.execute(new ClaimQuest(member.id, questId, call));
  }
}
