import { Injectable } from '@nestjs/common';
import { isThreadPool, type PoolName, threadPool } from '@app/domain';
import { BalanceQueries, PoolRewardQueries } from '@app/projections';

/** Minor units of Nova. */
export interface ThreadReward {
  /** In total so far. */
  readonly paid: bigint;
  /** Not yet credited, but already part of the Nova balance. */
  readonly owed: bigint;
}

const NOTHING: ThreadReward = { paid: 0n, owed: 0n };

/** A member's income from hosts' thread pools (rule nexus-4). */
@Injectable()
export class ThreadRewards {
  constructor(
    private readonly balances: BalanceQueries,
    private readonly rewards: PoolRewardQueries,
  ) {}

  async of(memberId: string): Promise<{ readonly total: ThreadReward; from(hostId: string): ThreadReward }> {
    const [standings, payouts] = await Promise.all([this.balances.pools(memberId), this.rewards.paid(memberId)]);
    const byPool = new Map<PoolName, ThreadReward>();
    let total = NOTHING;
    const add = (pool: PoolName, { paid, owed }: ThreadReward): void => {
      if (!isThreadPool(pool)) return;
      const before = byPool.get(pool) ?? NOTHING;
      byPool.set(pool, { paid: before.paid + paid, owed: before.owed + owed });
      total = { paid: total.paid + paid, owed: total.owed + owed };
    };
    for (const { pool, owed } of standings) add(pool, { paid: 0n, owed });
    for (const { pool, paid } of payouts) add(pool, { paid, owed: 0n });
    return { total, from: (hostId) => byPool.get(threadPool(hostId)) ?? NOTHING };
  }
}
