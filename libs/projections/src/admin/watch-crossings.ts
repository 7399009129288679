import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { writeTables } from '../tables/statements.js';
import { bigint, Table, tablesOf, text, timestamp } from '../tables/table.js';

const crossingsTable = new Table('watch_crossings', {
  columns: { position: bigint, watchId: text, eventId: text, balance: bigint, at: timestamp },
  key: ['position'],
  isKeyLast: true,
  indexes: { watch_crossings_watch: '(watch_id, position desc)' },
});

/** When watched balances went beyond their limits (rule admin-22). Balances in minor units of NOVA. */
export const watchCrossings: ReadModel = {
  name: 'watch_crossings',
  version: 1,
  streamPrefixes: ['moderation-'],
  ...tablesOf(crossingsTable),
  createApplier: () => new WatchCrossingsApplier(),
};

class WatchCrossingsApplier implements ReadModelApplier {
  private readonly rows = new AppendTable(crossingsTable);

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { moderation: event, recorded, time } of events) {
      if (event?.type !== 'WatchCrossed') continue;
      const { targetId: watchId, eventId, balance } = event;
      this.rows.add({ position: recorded.position, watchId, eventId, balance, at: time });
    }
    await writeTables(client, [this.rows], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.rows], 'all');
  }
}
