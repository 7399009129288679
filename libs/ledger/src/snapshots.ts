import { addAbortSignal } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import { EVOLVE_VERSION, LedgerState, type LedgerSnapshot } from '@app/domain';
import { type EventStore, isTransientInPostgres, StoreUnavailable } from '@app/event-store';
import type { Pool } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
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
const READ_MS_MAX = 120_000;
/** What stands around one value of one row in Postgres' binary COPY format. */
const COPY_HEAD = 11 + 4 + 4 + 2 + 4;
const COPY_TAIL = 2;

interface SnapshotRow {
  readonly revision: string;
  readonly head_hash: string;
  readonly bytes: number;
}

/** Snapshots in Postgres: the newest two. They are copied as bytes: as digits, they were longer than a string may be. */
export class PostgresSnapshots implements SnapshotSource {
  /** @param onUnreadable told of a snapshot whose bytes are damaged: it is passed over */
  constructor(
    private readonly pool: Pool,
    private readonly onUnreadable?: (error: unknown) => void,
  ) {}

  async newest(store: EventStore): Promise<LoadedSnapshot | undefined> {
    const known = {
      text: `
        select revision, head_hash, length(state) as bytes from ledger.snapshots
        where evolve_version = $1 order by revision desc limit ${KEPT}`,
      values: [EVOLVE_VERSION],
      query_timeout: READ_MS_MAX,
    };
    const { rows } = await this.pool.query<SnapshotRow>(known).catch(unavailable);
    for (const row of rows) {
      const head = { revision: Number(row.revision), hash: row.head_hash };
      if (!(await holdsHead(store, head))) continue;
      const state = await this.stateAt(row);
      if (state) return { head, state };
    }
    return undefined;
  }

  /** Undefined where newer snapshots have taken its place meanwhile, and where it cannot be read. */
  private async stateAt(row: SnapshotRow): Promise<LedgerState | undefined> {
    const copied = await this.copyOf(row);
    const state = copied?.subarray(COPY_HEAD, COPY_HEAD + row.bytes);
    try {
      return state && LedgerState.restore(deserialize(state) as LedgerSnapshot);
    } catch (error) {
      this.onUnreadable?.(error);
      return undefined;
    }
  }

  private async copyOf({ revision, bytes }: SnapshotRow): Promise<Buffer | undefined> {
    const client = await this.pool.connect().catch(unavailable);
    const copy = client.query(
      copyTo(
        `copy (select state from ledger.snapshots where revision = ${BigInt(revision)}) to stdout (format binary)`,
      ),
    );
    try {
      const copied = await readAll(
        addAbortSignal(AbortSignal.timeout(READ_MS_MAX), copy),
        COPY_HEAD + bytes + COPY_TAIL,
      );
      client.release();
      return copied;
    } catch (error) {
      client.release(true);
      return unavailable(error);
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

/** What a stream brings, undefined where that is not exactly so many bytes. */
async function readAll(stream: AsyncIterable<Buffer>, bytes: number): Promise<Buffer | undefined> {
  const all = Buffer.allocUnsafe(bytes);
  let at = 0;
  for await (const chunk of stream) {
    if (at + chunk.length <= bytes) chunk.copy(all, at);
    at += chunk.length;
  }
  return at === bytes ? all : undefined;
}

/** @throws StoreUnavailable where Postgres did not answer, else the error itself */
function unavailable(error: unknown): never {
  const isLate = error instanceof Error && error.name === 'AbortError';
  if (!isLate && !isTransientInPostgres(error)) throw error;
  throw new StoreUnavailable('the snapshots were not read', { cause: error });
}
