import { ACCOUNT_KINDS, OWNED_KINDS, type AccountKind } from '@app/domain';
import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';

/** Sums are kept of so many revisions each: what a total at any revision adds up beside them is less than one block. */
export const BLOCK_REVISIONS = 10_000;

export const blockOf = (revision: number): number => Math.floor(revision / BLOCK_REVISIONS);

/** Kinds as numbers, because every entry carries one: their places in `ACCOUNT_KINDS`. Another order is another version. */
const KIND_CODES: ReadonlyMap<AccountKind, number> = new Map(ACCOUNT_KINDS.map((kind, code) => [kind, code]));

export function codeOf(kind: AccountKind): number {
  const code = KIND_CODES.get(kind);
  if (code === undefined) throw new Error(`no such kind of account: ${kind}`);
  return code;
}

/** The kind that is one account, or one a currency, and which of them: how the sums of blocks are kept. */
const unitOf = (kind: AccountKind, owner: string): string => (OWNED_KINDS.has(kind) ? '' : owner);

/**
 * The general ledger: every entry of every account, from which any balance and the trial balance at any past moment follow
 * (rule finance-2). Rows are added and never read, so that it keeps pace however many accounts there are: a balance is
 * the sum of its account's entries, and the sum of a whole kind that of blocks of revisions and the entries since.
 */
export const entries: ReadModel = {
  name: 'entries',
  version: 1,
  streamPrefixes: ['ledger'],
  isBackground: true,
  tables: ['entry', 'entry_block'],
  ddl: `
    create table entry (
      revision bigint not null,
      delta bigint not null,
      at timestamptz not null,
      kind smallint not null,
      owner text collate "C" not null,
      type text collate "C" not null
    );
    create table entry_block (
      block integer not null,
      kind smallint not null,
      unit text collate "C" not null,
      delta numeric not null,
      primary key (block, kind, unit)
    ) with (fillfactor = 70);
  `,
  indexes: `
    alter table entry add primary key (kind, owner, revision) include (delta);
    create index entry_revision on entry using brin (revision) with (pages_per_range = 32, autosummarize = on);
  `,
  createApplier: () => new EntriesApplier(),
};

class EntriesApplier implements ReadModelApplier {
  private readonly rows = new AppendTable('entry', [
    ['revision', 'bigint'],
    ['delta', 'bigint'],
    ['at', 'timestamptz'],
    ['kind', 'smallint'],
    ['owner', 'text'],
    ['type', 'text'],
  ]);
  private readonly blocks = new DeltaTable({
    table: 'entry_block',
    key: [
      ['block', 'integer'],
      ['kind', 'smallint'],
      ['unit', 'text'],
    ],
    sums: [['delta', 'numeric']],
  });

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const event of events) if (event.ledger) this.take(event);
    await writeTables(client, [this.rows, this.blocks], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.rows, this.blocks], 'all');
  }

  private take({ recorded: { revision, type }, postings, time }: ProjectedEvent): void {
    const block = blockOf(revision);
    for (const { account, delta } of postings) {
      const { kind, owner } = account;
      const code = codeOf(kind);
      this.rows.add([revision, delta, time, code, owner, type]);
      const unit = unitOf(kind, owner);
      this.blocks.add(`${block} ${code} ${unit}`, 0, delta, [block, code, unit]);
    }
  }
}
