import type { PoolName } from '@app/domain';
import { READ_SCHEMA } from '../schema.js';
import type { Queryable } from '../tables/queryable.js';

export interface PoolReward {
  readonly pool: PoolName;
  /** In total so far, in minor units of NOVA. */
  readonly paid: bigint;
}

/** Reads the read model `pool_rewards`. `BalanceQueries` says what pools still owe. */
export class PoolRewardQueries {
  constructor(private readonly db: Queryable) {}

  /** What each pool has paid a member so far, by name; pools that have paid nothing are absent. */
  async paid(userId: string): Promise<PoolReward[]> {
    const found = await this.db.query<{ pool: PoolName; paid: string }>(
      `select pool, paid from ${READ_SCHEMA}.pool_rewards where user_id = $1 and paid > 0 order by pool`,
      [userId],
    );
    return found.rows.map(({ pool, paid }) => ({ pool, paid: BigInt(paid) }));
  }
}
