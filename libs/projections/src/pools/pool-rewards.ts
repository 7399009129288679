import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';
import { bigint, Table, tablesOf, text } from '../tables/table.js';

const rewards = new Table('pool_rewards', {
  columns: { userId: text, pool: text, paid: bigint },
  key: ['userId', 'pool'],
  fillfactor: 70,
});

/** What pools have paid each holder so far, in minor units of NOVA. What they still owe is in `balances`. */
export const poolRewards: ReadModel = {
  name: 'pool_rewards',
  version: 1,
  streamPrefixes: ['ledger'],
  ...tablesOf(rewards),
  createApplier: () => new PoolRewardsApplier(),
};

class PoolRewardsApplier implements ReadModelApplier {
  private readonly rewards = new DeltaTable(rewards);

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { ledger } of events) {
      if (ledger?.type !== 'PoolRewardsPaid') continue;
      for (const [pool, amount] of ledger.payouts) {
        this.rewards.add(`${ledger.userId} ${pool}`, 'paid', amount, [ledger.userId, pool]);
      }
    }
    await writeTables(client, [this.rewards], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.rewards], 'all');
  }
}
