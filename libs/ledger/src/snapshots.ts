import { createHash, hash } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import { EVOLVE_VERSION, LedgerState, type LedgerSnapshot } from '@app/domain';
import { type EventStore, isTransientInPostgres, StoreUnavailable } from '@app/event-store';
import { DatabaseError, type Pool } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { holdsHead, type JournalHead } from './journal-reader.js';
import { isSignedBy, snapshotText } from './signing/range.js';
import type { JournalSigner } from './signing/signer.js';
import type { JournalTrust } from './signing/trust.js';

export interface LoadedSnapshot {
  readonly state: LedgerState;
  readonly head: JournalHead;
}

/** Where a start looks for a state, to avoid reading the whole journal. */
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
  { name: 'LedgerSnapshotHashes1700000200001', sql: 'alter table ledger.snapshots add column state_hash text' },
  { name: 'LedgerSnapshotSignatures1700000200002', sql: 'alter table ledger.snapshots add column signature text' },
];

const KEPT = 2;
const READ_MS_MAX = 120_000;
/** What stands around one value of one row in Postgres' binary COPY format. */
const COPY_HEAD = 11 + 4 + 4 + 2 + 4;
const COPY_TAIL = 2;
/** Classes of SQLSTATE: what Postgres finds damaged itself, and what the disk does not give back. */
const DAMAGE_CLASSES = ['XX', '58'];

interface SnapshotRow {
  readonly revision: string;
  readonly head_hash: string;
  readonly bytes: number;
  /** SHA-256 of the state's bytes; null where an earlier release wrote them. */
  readonly state_hash: string | null;
  /** Null where the journal is not signed, or the key was not at hand. */
  readonly signature: string | null;
}

/** Who signs snapshots of a signed journal, and whose signature is good. */
export interface SnapshotSigning {
  readonly trust: JournalTrust;
  readonly signerFor: (publicKey: string) => JournalSigner | undefined;
}

interface StateCopy {
  readonly state: Buffer;
  readonly hash: string;
}

/**
 * The newest two snapshots in Postgres, copied as bytes: as hex digits they would exceed the maximal length of a
 * string.
 */
export class PostgresSnapshots implements SnapshotSource {
  /**
   * @param onUnreadable told of a snapshot that is damaged: it is passed over
   * @param signing of a signed journal, whose snapshots are passed over unless its key signed them
   */
  constructor(
    private readonly pool: Pool,
    private readonly onUnreadable?: (error: unknown) => void,
    private readonly signing?: SnapshotSigning,
  ) {}

  async newest(store: EventStore): Promise<LoadedSnapshot | undefined> {
    for (const row of await this.known()) {
      const head = { revision: Number(row.revision), hash: row.head_hash };
      if (!this.isTrusted(row, head) || !(await holdsHead(store, head))) continue;
      const state = await this.stateAt(row);
      if (state) return { head, state };
    }
    return undefined;
  }

  /** By the key that signs now: whoever got hold of an older one has no use of it. Before anything is made of the bytes. */
  private isTrusted({ state_hash: stateHash, signature }: SnapshotRow, head: JournalHead): boolean {
    if (!this.signing) return true;
    const now = this.signing.trust.at(-1);
    if (!now || stateHash === null || signature === null) return false;
    return isSignedBy(now.publicKey, snapshotText(now, { ...head, stateHash }), signature);
  }

  private sign(head: JournalHead, stateHash: string): string | undefined {
    const now = this.signing?.trust.at(-1);
    return now && this.signing?.signerFor(now.publicKey)?.sign(snapshotText(now, { ...head, stateHash }));
  }

  /** The newest first. */
  private async known(): Promise<SnapshotRow[]> {
    const known = {
      text: `
        select revision, head_hash, length(state) as bytes, state_hash, signature from ledger.snapshots
        where evolve_version = $1 order by revision desc limit ${KEPT}`,
      values: [EVOLVE_VERSION],
      query_timeout: READ_MS_MAX,
    };
    try {
      return (await this.pool.query<SnapshotRow>(known)).rows;
    } catch (error) {
      if (!isDamage(error)) return unavailable(error);
      this.onUnreadable?.(error);
      return [];
    }
  }

  /** Undefined where newer snapshots have taken its place meanwhile, and where it cannot be read. */
  private async stateAt(row: SnapshotRow): Promise<LedgerState | undefined> {
    try {
      const copied = await this.copyOf(row);
      if (!copied) return undefined;
      if (row.state_hash !== null && row.state_hash !== copied.hash) {
        throw new Error(`the bytes of the snapshot of revision ${row.revision} do not fit their hash`);
      }
      return LedgerState.restore(deserialize(copied.state) as LedgerSnapshot);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.onUnreadable?.(error);
      return undefined;
    }
  }

  private async copyOf({ revision, bytes }: SnapshotRow): Promise<StateCopy | undefined> {
    const client = await this.pool.connect().catch(unavailable);
    const copy = client.query(
      copyTo(
        `copy (select state from ledger.snapshots where revision = ${BigInt(revision)}) to stdout (format binary)`,
      ),
    );
    try {
      const copied = await readState(addAbortSignal(AbortSignal.timeout(READ_MS_MAX), copy), bytes);
      client.release();
      return copied;
    } catch (error) {
      client.release(true);
      return unavailable(error);
    }
  }

  /** A damaged row can be neither replaced nor deleted by itself, because that would read it: then all are dropped. */
  async save(state: LedgerState, head: JournalHead): Promise<void> {
    const bytes = serialize(state.snapshot());
    try {
      await this.write(bytes, head);
    } catch (error) {
      if (!isDamage(error)) throw error;
      await this.pool.query('truncate ledger.snapshots');
      await this.write(bytes, head);
    }
  }

  private async write(bytes: Buffer, head: JournalHead): Promise<void> {
    const stateHash = hash('sha256', bytes, 'hex');
    await this.pool.query(
      `insert into ledger.snapshots (revision, evolve_version, head_hash, state, state_hash, signature)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (revision) do update
         set evolve_version = excluded.evolve_version, head_hash = excluded.head_hash, state = excluded.state,
           state_hash = excluded.state_hash, signature = excluded.signature, created_at = now()`,
      [head.revision, EVOLVE_VERSION, head.hash, bytes, stateHash, this.sign(head, stateHash)],
    );
    // A snapshot that claims to be later than the journal would stay the newest for ever.
    await this.pool.query(
      `delete from ledger.snapshots where revision not in (
         select revision from ledger.snapshots where revision <= $1 order by revision desc limit ${KEPT})`,
      [head.revision],
    );
  }
}

/** The state out of a copy of its row; undefined where that is not of so many bytes. */
async function readState(copy: AsyncIterable<Buffer>, bytes: number): Promise<StateCopy | undefined> {
  const end = COPY_HEAD + bytes;
  const all = Buffer.allocUnsafe(end + COPY_TAIL);
  const sum = createHash('sha256');
  let at = 0;
  for await (const chunk of copy) {
    const next = at + chunk.length;
    if (next <= all.length) {
      chunk.copy(all, at);
      sum.update(all.subarray(Math.max(at, COPY_HEAD), Math.min(next, end)));
    }
    at = next;
  }
  return at === all.length ? { state: all.subarray(COPY_HEAD, end), hash: sum.digest('hex') } : undefined;
}

const isDamage = (error: unknown): boolean =>
  error instanceof DatabaseError && DAMAGE_CLASSES.includes((error.code ?? '').slice(0, 2));

/** @throws StoreUnavailable where Postgres did not answer, else the error itself */
function unavailable(error: unknown): never {
  const isLate = error instanceof Error && error.name === 'AbortError';
  if (!isLate && (isDamage(error) || !isTransientInPostgres(error))) throw error;
  throw new StoreUnavailable('the snapshots were not read', { cause: error });
}
