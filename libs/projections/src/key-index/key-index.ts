import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { writeTables } from '../tables/statements.js';
import { bytea, safeInteger, Table, tablesOf } from '../tables/table.js';

const ledgerKey = new Table('ledger_key', {
  columns: { hash: bytea, fingerprint: bytea, revision: safeInteger },
  key: ['hash'],
  isKeyLast: true,
});

/**
 * Every idempotency key that took effect (rule ledger-26). The unique index is the assertion of invariant 3: a journal
 * in which a key took effect twice stops this read model.
 */
export const keyIndex: ReadModel = {
  name: 'key_index',
  version: 1,
  streamPrefixes: ['ledger'],
  isBackground: true,
  ...tablesOf(ledgerKey),
  createApplier: () => new KeyIndexApplier(),
};

class KeyIndexApplier implements ReadModelApplier {
  private readonly keys = new AppendTable(ledgerKey);

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { recorded, ledger } of events) {
      if (!ledger?.key) continue;
      const { hash, fingerprint } = ledger.key;
      this.keys.add({ hash: `\\x${hash}`, fingerprint: `\\x${fingerprint}`, revision: recorded.revision });
    }
    await writeTables(client, [this.keys], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.keys], 'all');
  }
}
