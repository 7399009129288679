import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { isThreadPool, TOKEN_POOLS } from '@app/domain';
import { BalanceQueries, type PoolStanding } from '@app/projections';
import { ChatReadModels } from '../../chats/chat-read-models.js';
import { toNova } from '../../wallet/nova-amount.js';
import type { InfluenceInventoryDto } from '../status.dto.js';

export class GetInfluence extends Query<InfluenceInventoryDto> {
  constructor(readonly memberId: string) {
    super();
  }
}

/** A member's shares in reward pools, and the income from them. */
@QueryHandler(GetInfluence)
export class GetInfluenceHandler implements IQueryHandler<GetInfluence> {
  constructor(
    private readonly balances: BalanceQueries,
    private readonly readModels: ChatReadModels,
  ) {}

  async execute({ memberId }: GetInfluence): Promise<InfluenceInventoryDto> {
    const [standings, rewards] = await Promise.all([
      this.balances.pools(memberId),
      this.readModels.poolRewards.paid(memberId),
    ]);
    const paidBy = (counts: (pool: string) => boolean): bigint =>
      rewards.reduce((sum, { pool, paid }) => (counts(pool) ? sum + paid : sum), 0n);
    const threads = standings.filter(({ pool }) => isThreadPool(pool));
    return {
      ...shareOf(standings, TOKEN_POOLS.influence, paidBy),
      karma: shareOf(standings, TOKEN_POOLS.karma, paidBy),
      threads: {
        count: threads.length,
        rewardsPaid: toNova(paidBy(isThreadPool)),
        rewardsOwed: toNova(threads.reduce((sum, { owed }) => sum + owed, 0n)),
      },
    };
  }
}

interface PoolShare {
  readonly points: number;
  readonly totalPoints: number;
  readonly sharePercent: number;
  readonly rewardsPaid: number;
  readonly rewardsOwed: number;
}

function shareOf(
  standings: readonly PoolStanding[],
  name: string,
  paidBy: (counts: (pool: string) => boolean) => bigint,
): PoolShare {
  const standing = standings.find(({ pool }) => pool === name);
  const { shares = 0n, memberShares = 0n, owed = 0n } = standing ?? {};
  return {
    points: Number(memberShares),
    totalPoints: Number(shares),
    sharePercent: shares === 0n ? 0 : Number((memberShares * 10_000n) / shares) / 100,
    rewardsPaid: toNova(paidBy((pool) => pool === name)),
    rewardsOwed: toNova(owed),
  };
}
