import { ACCOUNT_KINDS, OWNED_KINDS, type AccountKind, type LedgerEventType } from '@app/domain';
import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';
import {
  bigint,
  idAsBytes,
  integer,
  numeric,
  smallint,
  Table,
  tablesOf,
  text,
  textOf,
  timestamp,
} from '../tables/table.js';

/**
 * The revisions of one block. A total at any revision adds up the sums of blocks and less than one block of entries.
 */
export const BLOCK_REVISIONS = 10_000;

export const blockOf = (revision: number): number => Math.floor(revision / BLOCK_REVISIONS);

/**
 * Kinds as numbers, because every entry carries one: their places in `ACCOUNT_KINDS`. Changing the order needs a new
 * version.
 */
const KIND_CODES: ReadonlyMap<AccountKind, number> = new Map(ACCOUNT_KINDS.map((kind, code) => [kind, code]));

export function codeOf(kind: AccountKind): number {
  const code = KIND_CODES.get(kind);
  if (code === undefined) throw new Error(`no such kind of account: ${kind}`);
  return code;
}

/** A kind with one account, or one for each currency, and which account: the unit of the sums of blocks. */
const unitOf = (kind: AccountKind, owner: string): string => (OWNED_KINDS.has(kind) ? '' : owner);

/** The order of the columns leaves no gaps between them. */
const entry = new Table('ledger_entry', {
  columns: {
    delta: bigint,
    at: timestamp,
    revision: integer,
    kind: smallint,
    owner: idAsBytes,
    type: textOf<LedgerEventType>(),
  },
  key: ['kind', 'owner', 'revision'],
  included: ['delta'],
  isKeyLast: true,
  indexes: { ledger_entry_revision: 'using brin (revision) with (pages_per_range = 32, autosummarize = on)' },
});

const entryBlock = new Table('ledger_entry_block', {
  columns: { block: integer, kind: smallint, unit: text, delta: numeric },
  key: ['block', 'kind', 'unit'],
  fillfactor: 70,
});

/**
 * The general ledger: every entry of every account, from which any balance and the trial balance at any past moment
 * follow (rule finance-2). It adds rows and never reads them, so its speed does not depend on the number of accounts. A
 * balance is the sum of its account's entries; the sum of a whole kind adds blocks of revisions and the entries since.
 * Version 1.0.0 has its own as `entries`, in `entry` and `entry_block`.
 */
export const entries: ReadModel = {
  name: 'ledger_entries',
  version: 1,
  streamPrefixes: ['ledger'],
  isBackground: true,
  ...tablesOf(entry, entryBlock),
  createApplier: () => new EntriesApplier(),
};

class EntriesApplier implements ReadModelApplier {
  private readonly rows = new AppendTable(entry);
  private readonly blocks = new DeltaTable(entryBlock);

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const event of events) if (event.ledger) this.take(event, event.ledger.type);
    await writeTables(client, [this.rows, this.blocks], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.rows, this.blocks], 'all');
  }

  private take({ recorded: { revision }, postings, time }: ProjectedEvent, type: LedgerEventType): void {
    const block = blockOf(revision);
    for (const { account, delta } of postings) {
      const { kind, owner } = account;
      const code = codeOf(kind);
      this.rows.add({ revision, delta, at: time, kind: code, owner, type });
      const unit = unitOf(kind, owner);
      this.blocks.add(`${block} ${code} ${unit}`, 'delta', delta, [block, code, unit]);
    }
  }
}
