import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { QuestProgress } from '../quest-progress.js';
import { toProgress } from '../quest-views.js';
import { Quests } from '../quests.js';
import type { QuestProgressListDto } from '../quests.dto.js';

export class GetQuestProgress extends Query<QuestProgressListDto> {
  constructor(readonly userId: string) {
    super();
  }
}

/** `GET /api/quests/progress`. */
@QueryHandler(GetQuestProgress)
export class GetQuestProgressHandler implements IQueryHandler<GetQuestProgress> {
  constructor(
    private readonly quests: Quests,
    private readonly progress: QuestProgress,
  ) {}

  async execute({ userId }: GetQuestProgress): Promise<QuestProgressListDto> {
    const begun = await this.quests.listed({ scheduled: false });
    const found = await this.progress.of(userId, begun);
    return { progress: found.map(({ quest, progress }) => toProgress(quest, progress)) };
  }
}
