import { deserialize, serialize } from 'node:v8';
import { EVOLVE_VERSION, LedgerState, type LedgerSnapshot } from '@app/domain';
import { type EventStore, isTransientInPostgres, StoreUnavailable } from '@app/event-store';
import type { Pool, QueryConfig, QueryResultRow } from 'pg';
import { holdsHead, type JournalHead } from './journal-reader.js';

export interface LoadedSnapshot {
  readonly state: LedgerState;
  readonly head: JournalHead;
}

/** Where a start looks for a state that saves it from reading the whole journal. */
export interface SnapshotSource {
  /**
   * The newest snapshot that fits this version and this journal, or undefined: a snapshot is never required.
   * @throws StoreUnavailable
   */
  newest(store: EventStore): Promise<LoadedSnapshot | undefined>;
}

export const snapshotMigrations: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: 'LedgerSnapshots1700000200000',
    sql: `
      create schema if not exists ledger;
      create table ledger.snapshots (
        revision bigint primary key,
        evolve_version int not null,
        head_hash text not null,
        state bytea not null,
        created_at timestamptz not null default now()
      );
      alter table ledger.snapshots alter column state set storage external;`,
  },
];

const KEPT = 2;
/** A state comes in pieces: as digits, which is how bytes come, a million accounts are longer than a string may be. */
const PIECE_BYTES = 8 * 1_024 * 1_024;
const READ_MS_MAX = 30_000;

interface SnapshotRow {
  readonly revision: string;
  readonly head_hash: string;
  readonly bytes: number;
}

/** Snapshots in Postgres: the newest two. */
export class PostgresSnapshots implements SnapshotSource {
  constructor(private readonly pool: Pool) {}

  async newest(store: EventStore): Promise<LoadedSnapshot | undefined> {
    const known = await this.query<SnapshotRow>({
      text: `
        select revision, head_hash, length(state) as bytes from ledger.snapshots
        where evolve_version = $1 order by revision desc limit ${KEPT}`,
      values: [EVOLVE_VERSION],
    });
    for (const row of known) {
      const head = { revision: Number(row.revision), hash: row.head_hash };
      if (!(await holdsHead(store, head))) continue;
      const state = await this.stateAt(row);
      if (state) return { head, state };
    }
    return undefined;
  }

  /** Undefined where newer snapshots have taken its place meanwhile. */
  private async stateAt(row: SnapshotRow): Promise<LedgerState | undefined> {
    const bytes = Buffer.allocUnsafe(row.bytes);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const [piece] = await this.query<{ bytes: Buffer }>({
        text: 'select substring(state from $2 for $3) as bytes from ledger.snapshots where revision = $1',
        values: [row.revision, at + 1, PIECE_BYTES],
      });
      if (!piece) return undefined;
      piece.bytes.copy(bytes, at);
    }
    return LedgerState.restore(deserialize(bytes) as LedgerSnapshot);
  }

  private async query<T extends QueryResultRow>(query: QueryConfig): Promise<T[]> {
    const inTime = { ...query, query_timeout: READ_MS_MAX };
    try {
      return (await this.pool.query<T>(inTime)).rows;
    } catch (error) {
      if (!isTransientInPostgres(error)) throw error;
      throw new StoreUnavailable('the snapshots were not read', { cause: error });
    }
  }

  async save(state: LedgerState, head: JournalHead): Promise<void> {
    await this.pool.query(
      `insert into ledger.snapshots (revision, evolve_version, head_hash, state) values ($1, $2, $3, $4)
       on conflict (revision) do update
         set evolve_version = excluded.evolve_version, head_hash = excluded.head_hash, state = excluded.state, created_at = now()`,
      [head.revision, EVOLVE_VERSION, head.hash, serialize(state.snapshot())],
    );
    await this.pool.query(
      `delete from ledger.snapshots where revision not in (select revision from ledger.snapshots order by revision desc limit ${KEPT})`,
    );
  }
}
