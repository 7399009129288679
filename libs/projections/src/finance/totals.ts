import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';
import { bigint, numeric, Table, tablesOf, text } from '../tables/table.js';

const accountKindTotal = new Table('account_kind_total', {
  columns: { kind: text, currency: text, total: numeric },
  key: ['kind', 'currency'],
  fillfactor: 20,
});

const eventCount = new Table('event_count', { columns: { type: text, count: bigint }, key: ['type'], fillfactor: 20 });

/** The platform's sums: every kind of account by currency (minor units), and how often each event happened. */
export const totals: ReadModel = {
  name: 'totals',
  version: 1,
  streamPrefixes: ['ledger'],
  ...tablesOf(accountKindTotal, eventCount),
  createApplier: () => new TotalsApplier(),
};

class TotalsApplier implements ReadModelApplier {
  private readonly kinds = new DeltaTable(accountKindTotal);
  private readonly counts = new DeltaTable(eventCount);

  apply(_client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { ledger, postings } of events) {
      if (!ledger) continue;
      this.counts.add(ledger.type, 'count', 1n);
      for (const { account, currency, delta } of postings) {
        this.kinds.add(`${account.kind} ${currency}`, 'total', delta, [account.kind, currency]);
      }
    }
    return Promise.resolve();
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.kinds, this.counts], 'all');
  }
}
