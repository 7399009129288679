import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';

/** The platform's sums: every kind of account per currency (minor units), and how often each event happened. */
export const totals: ReadModel = {
  name: 'totals',
  version: 1,
  streamPrefixes: ['ledger'],
  tables: ['account_kind_total', 'event_count'],
  ddl: `
    create table account_kind_total (
      kind text collate "C" not null,
      currency text collate "C" not null,
      total numeric not null,
      primary key (kind, currency)
    ) with (fillfactor = 20);
    create table event_count (
      type text collate "C" primary key,
      count bigint not null
    ) with (fillfactor = 20);
  `,
  indexes: '',
  createApplier: () => new TotalsApplier(),
};

class TotalsApplier implements ReadModelApplier {
  private readonly kinds = new DeltaTable({
    table: 'account_kind_total',
    key: [
      ['kind', 'text'],
      ['currency', 'text'],
    ],
    sums: [['total', 'numeric']],
  });
  private readonly counts = new DeltaTable({
    table: 'event_count',
    key: [['type', 'text']],
    sums: [['count', 'bigint']],
  });

  apply(_client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { ledger, postings } of events) {
      if (!ledger) continue;
      this.counts.add(ledger.type, 0, 1n);
      for (const { account, currency, delta } of postings) {
        this.kinds.add(`${account.kind} ${currency}`, 0, delta, [account.kind, currency]);
      }
    }
    return Promise.resolve();
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.kinds, this.counts], 'all');
  }
}
