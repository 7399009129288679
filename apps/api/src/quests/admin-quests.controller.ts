import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBadRequestResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly, NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import { CreateQuest } from './commands/create-quest.js';
import { NewQuestDto } from './new-quest.dto.js';
import { AdminQuestsQueryDto, ListAllQuests } from './queries/list-all-quests.js';
import { AdminQuestDto, AdminQuestsDto } from './quests.dto.js';

/** Quests as admins see and make them (rule quests-7). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/quests')
export class AdminQuestsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'Every quest with what became of it, newest first' })
  @ApiOkResponse({ type: AdminQuestsDto })
  @Get()
  list(@Query() page: AdminQuestsQueryDto): Promise<AdminQuestsDto> {
    return this.queries.execute(new ListAllQuests(page));
  }

  @ApiOperation({ summary: 'Make a quest' })
  @ApiCreatedResponse({ type: AdminQuestDto })
  @ApiBadRequestResponse({ description: 'Something is missing, or the quest cannot be so.' })
  @Post()
  create(
    @CurrentUser() admin: SignedInMember,
    @Body() quest: NewQuestDto,
    @CurrentCall() call: Call,
  ): Promise<AdminQuestDto> {
    return this.commands.execute(new CreateQuest(admin.id, quest, call));
  }
}
