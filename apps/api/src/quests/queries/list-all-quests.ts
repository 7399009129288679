import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiPropertyOptional } from '@nestjs/swagger';
import type { QuestPhase } from '@app/domain';
import { IsIn, IsOptional } from 'class-validator';
import { SORT_DIRECTIONS, type SortDirection } from '../../admin/admin-users.js';
import { offsetOf, PageDto, paginationOf } from '../../admin/page.dto.js';
import { MemberDirectory } from '../../identity/member-directory.js';
import { Limit } from '../../wallet/paging.dto.js';
import { creatorName, toAdminQuest } from '../quest-views.js';
import { QUEST_SORTS, type QuestSort, Quests } from '../quests.js';
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

  @ApiPropertyOptional({ enum: QUEST_SORTS, default: 'created' })
  @IsIn(QUEST_SORTS, { message: `Quests are sorted by ${QUEST_SORTS.join(', ')}.`, context: { code: 'INVALID_SORT' } })
  @IsOptional()
  sort: QuestSort = 'created';

  @ApiPropertyOptional({ enum: SORT_DIRECTIONS, default: 'desc' })
  @IsIn(SORT_DIRECTIONS, { message: 'The order must be asc or desc.', context: { code: 'INVALID_SORT' } })
  @IsOptional()
  order: SortDirection = 'desc';
}

export class ListAllQuests extends Query<AdminQuestsDto> {
  constructor(readonly page: AdminQuestsQueryDto) {
    super();
  }
}

/** `GET /api/admin/quests`: every quest with its results, newest first by default. */
@QueryHandler(ListAllQuests)
export class ListAllQuestsHandler implements IQueryHandler<ListAllQuests> {
  constructor(
    private readonly quests: Quests,
    private readonly directory: MemberDirectory,
  ) {}

  async execute({ page }: ListAllQuests): Promise<AdminQuestsDto> {
    const { limit, status, sort, order } = page;
    const found = await this.quests.page({ phase: phaseOf(status), limit, offset: offsetOf(page), sort, order });
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
