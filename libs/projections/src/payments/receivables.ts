import type { LedgerEvent } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { type Cached, CachedTable } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';
import { bigint, type RowOf, Table, tablesOf, text, textOf, timestamp, uuid } from '../tables/table.js';

/** What the reversal of a purchase could not take from its member. Amounts in minor units. */
export const receivable = new Table('receivable', {
  columns: {
    reversalId: text,
    userId: text,
    paymentIntentId: text,
    reason: textOf<'refund' | 'dispute'>(),
    shortfall: bigint,
    repaid: bigint,
    /** What is still owed, unless the account is closed: nothing once the rest was written off or the purchase reinstated. */
    open: bigint,
    /** The event that reversed the purchase. */
    eventId: uuid,
    openedAt: timestamp,
  },
  key: ['reversalId'],
  fillfactor: 70,
  indexes: { receivable_open: '(opened_at, reversal_id) where open > 0' },
});

/** Closed accounts: what they owed is lost. */
const receivableLost = new Table('receivable_lost', { columns: { userId: text, at: timestamp }, key: ['userId'] });

/** What members owe for reversed purchases (rule ledger-40). */
export const receivables: ReadModel = {
  name: 'receivables',
  version: 1,
  streamPrefixes: ['ledger'],
  isBackground: true,
  ...tablesOf(receivable, receivableLost),
  createApplier: (options) => new ReceivablesApplier(options),
};

class ReceivablesApplier implements ReadModelApplier {
  private readonly rows: Cached<typeof receivable>;
  private readonly lost: Cached<typeof receivableLost>;

  constructor(options: ApplierOptions) {
    this.rows = new CachedTable(receivable, options);
    this.lost = new CachedTable(receivableLost, options);
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const ids = events.flatMap(({ ledger }) => (ledger && 'reversalId' in ledger ? [ledger.reversalId] : []));
    await this.rows.load(client, new Set(ids));
    for (const { ledger, recorded, time } of events) {
      if (ledger) this.applyOne(ledger, { eventId: recorded.id, openedAt: time });
    }
    await writeTables(client, [this.rows, this.lost], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.rows, this.lost], 'all');
  }

  private applyOne(event: LedgerEvent, opened: Pick<RowOf<typeof receivable>, 'eventId' | 'openedAt'>): void {
    if (event.type === 'AccountClosed') return this.lost.set(event.userId, { at: opened.openedAt });
    if (event.type === 'PurchaseReversed') {
      const { reversalId, userId, paymentIntentId, reason, shortfall } = event;
      if (shortfall === 0n) return;
      return this.rows.set(reversalId, {
        userId,
        paymentIntentId,
        reason,
        shortfall,
        repaid: 0n,
        open: shortfall,
        ...opened,
      });
    }
    if (!('reversalId' in event)) return;
    const row = this.rows.get(event.reversalId);
    if (!row) return;
    if (event.type !== 'ShortfallRepaid') return this.rows.set(event.reversalId, { ...row, open: 0n });
    const { amount } = event;
    this.rows.set(event.reversalId, { ...row, repaid: row.repaid + amount, open: row.open - amount });
  }
}
