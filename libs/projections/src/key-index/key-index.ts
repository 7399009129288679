import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { writeTables } from '../tables/statements.js';

/**
 * Every idempotency key that took effect (rule ledger-26). The unique index is the assertion of invariant 3: a journal
 * in which a key took effect twice stops this read model.
 */
export const keyIndex: ReadModel = {
  name: 'key_index',
  version: 1,
  streamPrefixes: ['ledger'],
  isBackground: true,
  tables: ['ledger_key'],
  ddl: `
    create table ledger_key (
      hash bytea not null,
      fingerprint bytea not null,
      revision bigint not null
    );
  `,
  indexes: `alter table ledger_key add primary key (hash);`,
  createApplier: () => new KeyIndexApplier(),
};

class KeyIndexApplier implements ReadModelApplier {
  private readonly keys = new AppendTable('ledger_key', [
    ['hash', 'bytea'],
    ['fingerprint', 'bytea'],
    ['revision', 'bigint'],
  ]);

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { recorded, ledger } of events) {
      if (ledger?.key) this.keys.add([`\\x${ledger.key.hash}`, `\\x${ledger.key.fingerprint}`, recorded.revision]);
    }
    await writeTables(client, [this.keys], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.keys], 'all');
  }
}
