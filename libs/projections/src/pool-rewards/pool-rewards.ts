import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';

/** What pools have ever paid each holder, in minor units of NOVA. What they still owe is in `balances`. */
export const poolRewards: ReadModel = {
  name: 'pool_rewards',
  version: 1,
  streamPrefixes: ['ledger'],
  tables: ['pool_rewards'],
  ddl: `
    create table pool_rewards (
      user_id text collate "C" not null,
      pool text collate "C" not null,
      paid bigint not null,
      primary key (user_id, pool)
    ) with (fillfactor = 70);
  `,
  indexes: '',
  createApplier: () => new PoolRewardsApplier(),
};

class PoolRewardsApplier implements ReadModelApplier {
  private readonly rewards = new DeltaTable({
    table: 'pool_rewards',
    key: [
      ['user_id', 'text'],
      ['pool', 'text'],
    ],
    sums: [['paid', 'bigint']],
  });

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { ledger } of events) {
      if (ledger?.type !== 'PoolRewardsPaid') continue;
      for (const [pool, amount] of ledger.payouts) {
        this.rewards.add(`${ledger.userId} ${pool}`, 0, amount, [ledger.userId, pool]);
      }
    }
    await writeTables(client, [this.rewards], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.rewards], 'all');
  }
}
