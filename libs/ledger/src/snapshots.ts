import { deserialize, serialize } from 'node:v8';
import { EVOLVE_VERSION, LedgerState, type LedgerSnapshot } from '@app/domain';
import { type EventStore, isTransientInPostgres, StoreUnavailable } from '@app/event-store';
import type { Pool } from 'pg';
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
/** A large state takes seconds to come. */
const READ_MS_MAX = 120_000;

interface SnapshotRow {
  readonly revision: string;
  readonly head_hash: string;
  readonly state: Buffer;
}

/** Snapshots in Postgres: the newest two. */
export class PostgresSnapshots implements SnapshotSource {
  constructor(private readonly pool: Pool) {}

  async newest(store: EventStore): Promise<LoadedSnapshot | undefined> {
    for (const row of await this.read()) {
      const head = { revision: Number(row.revision), hash: row.head_hash };
      if (await holdsHead(store, head))
        return { head, state: LedgerState.restore(deserialize(row.state) as LedgerSnapshot) };
    }
    return undefined;
  }

  private async read(): Promise<SnapshotRow[]> {
    const query = {
      text: `select revision, head_hash, state from ledger.snapshots where evolve_version = $1 order by revision desc limit ${KEPT}`,
      values: [EVOLVE_VERSION],
      query_timeout: READ_MS_MAX,
    };
    try {
      return (await this.pool.query<SnapshotRow>(query)).rows;
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
