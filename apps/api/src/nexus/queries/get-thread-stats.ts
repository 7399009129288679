import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ThreadQueries } from '@app/projections';
import { toNova } from '../../wallet/nova-amount.js';
import type { ThreadStatsDto } from '../nexus.dto.js';
import { ThreadOwners } from '../thread-owners.js';
import { ThreadRewards } from '../thread-rewards.js';

export class GetThreadStats extends Query<ThreadStatsDto> {
  constructor(
    readonly viewerId: string,
    readonly ownerId: string,
  ) {
    super();
  }
}

/** `GET /api/personal-threads/stats`: the figures at the centre of the Nexus (rule nexus-5). */
@QueryHandler(GetThreadStats)
export class GetThreadStatsHandler implements IQueryHandler<GetThreadStats> {
  constructor(
    private readonly threads: ThreadQueries,
    private readonly owners: ThreadOwners,
    private readonly rewards: ThreadRewards,
  ) {}

  /** @throws AppError 404 no such owner */
  async execute({ viewerId, ownerId }: GetThreadStats): Promise<ThreadStatsDto> {
    await this.owners.require(ownerId, viewerId);
    const [summary, rewards] = await Promise.all([
      this.threads.summary(ownerId),
      viewerId === ownerId ? this.rewards.of(ownerId) : undefined,
    ]);
    return {
      blocks: summary.blocks,
      karmaThreads: summary.karma,
      influenceThreads: summary.influence,
      firstAt: summary.firstAt?.toISOString() ?? null,
      lastAt: summary.lastAt?.toISOString() ?? null,
      headHash: summary.headHash,
      totalNovaReceived: rewards ? toNova(rewards.total.paid) : null,
      totalNovaOwed: rewards ? toNova(rewards.total.owed) : null,
      averageGiven: viewerId === ownerId ? summary.averageGiven : null,
      averageReceived: viewerId === ownerId ? summary.averageReceived : null,
    };
  }
}
