import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Config, InjectConfig } from '../../platform/config.js';
import { Quests } from '../../quests/quests.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { AdminStatsDto } from '../admin.dto.js';
import { AdminUsers } from '../admin-users.js';

export class GetAdminStats extends Query<AdminStatsDto> {}

/** `GET /api/admin/stats` (rule admin-4). */
@QueryHandler(GetAdminStats)
export class GetAdminStatsHandler implements IQueryHandler<GetAdminStats> {
  constructor(
    private readonly users: AdminUsers,
    private readonly readModels: ReadModels,
    private readonly quests: Quests,
    @InjectConfig() private readonly config: Config,
  ) {}

  async execute(): Promise<AdminStatsDto> {
    const [totalUsers, circulating, events, activeQuests] = await Promise.all([
      this.users.count(),
      this.readModels.totals.novaInCirculation(),
      this.readModels.totals.eventCounts(),
      this.quests.countActive(),
    ]);
    return {
      totalUsers,
      // Every chat begins with its payment being held.
      totalChats: events.get('ChatPaymentHeld') ?? 0,
      novaInCirculation: toNova(circulating),
      activeQuests,
      version: this.config.version,
    };
  }
}
