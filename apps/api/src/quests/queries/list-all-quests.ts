import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiPropertyOptional } from '@nestjs/swagger';
import type { QuestPhase } from '@app/domain';
import { IsIn, IsOptional } from 'class-validator';
import { Limit, offsetOf, PageDto, paginationOf } from '../../admin/page.dto.js';
import { MemberDirectory } from '../../identity/member-directory.js';
import { creatorName, toAdminQuest } from '../quest-views.js';
import { Quests } from '../quests.js';
import { type AdminQuestsDto, QUEST_STATUSES, type QuestStatus } from '../quests.dto.js';

export class AdminQuestsQueryDto extends PageDto {
  @Limit()
  limit: number = 10;

  @ApiPropertyOptional({ enum: QUEST_STATUSES })
  @IsIn(['', ...QUEST_STATUSES], {
    message: `The status must be one of ${QUEST_STATUSES.join(', ')}.`,
    context: { code: 'INVALID_STATUS' },
  })
  @IsOptional()
  status?: QuestStatus | '';
}

export class ListAllQuests extends Query<AdminQuestsDto> {
  constructor(readonly page: AdminQuestsQueryDto) {
    super();
  }
}

/** `GET /api/admin/quests`: every quest, newest first, with what became of it. */
@QueryHandler(ListAllQuests)
export class ListAllQuestsHandler implements IQueryHandler<ListAllQuests> {
  constructor(
    private readonly quests: Quests,
    private readonly directory: MemberDirectory,
  ) {}

  async execute({ page }: ListAllQuests): Promise<AdminQuestsDto> {
    const found = await this.quests.page({ phase: phaseOf(page.status), limit: page.limit, offset: offsetOf(page) });
    const members = await this.directory.find(found.quests.map(({ adminId }) => adminId));
    return {
      quests: found.quests.map((quest) => toAdminQuest(quest, creatorName(members.get(quest.adminId)))),
      pagination: paginationOf(page, found.total),
    };
  }
}

function phaseOf(status: QuestStatus | '' | undefined): QuestPhase | undefined {
  if (status === 'expired') return 'ended';
  return status || undefined;
}
