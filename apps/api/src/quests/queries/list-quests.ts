import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { QuestProgress } from '../quest-progress.js';
import { toMemberQuest } from '../quest-views.js';
import { Quests } from '../quests.js';
import type { QuestsDto } from '../quests.dto.js';

export class ListQuests extends Query<QuestsDto> {
  constructor(readonly viewer: { readonly id: string; readonly isAdmin: boolean }) {
    super();
  }
}

/** `GET /api/quests`: scheduled ones are for admins only (rule quests-5). */
@QueryHandler(ListQuests)
export class ListQuestsHandler implements IQueryHandler<ListQuests> {
  constructor(
    private readonly quests: Quests,
    private readonly progress: QuestProgress,
  ) {}

  async execute({ viewer }: ListQuests): Promise<QuestsDto> {
    const listed = await this.quests.listed({ scheduled: viewer.isAdmin });
    const found = await this.progress.of(viewer.id, listed);
    return { quests: found.map(({ quest, progress }) => toMemberQuest(quest, progress)) };
  }
}
