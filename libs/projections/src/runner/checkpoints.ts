import { type Client, DatabaseError, type Pool, type PoolClient } from 'pg';
import type { BatchClient, ReadModel } from '../read-model.js';
import { LOST_OWNERSHIP_STATE, PROGRESS_CHANNEL, READ_SCHEMA } from '../schema.js';
import { LISTENER_NAME } from './progress-listener.js';

/** How long a read model stays with a process that no longer renews its lease, by database time. */
const LEASE_SECONDS = 3;

/** A batch whose process stopped in the middle must not block its successor for longer than this. */
const IDLE_SECONDS_MAX = 4;

export class LostOwnership extends Error {
  override readonly name = 'LostOwnership';
}

export interface Checkpoint {
  readonly name: string;
  readonly version: number;
  readonly position: bigint;
  readonly revision: number;
  /** Rises with every new owner and every swap: a process that applies under an older epoch writes nothing. */
  readonly epoch: bigint;
  readonly owner: string | null;
  readonly rebuildRequested: boolean;
}

interface CheckpointRow {
  readonly name: string;
  readonly version: number;
  readonly position: string;
  readonly revision: string;
  readonly epoch: string;
  readonly owner: string | null;
  readonly rebuild_requested: boolean;
}

const TABLE = `${READ_SCHEMA}.checkpoint`;
const COLUMNS = 'c.name, c.version, c.position, c.revision, c.epoch, c.owner, c.rebuild_requested';
const LEASE = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;

const fromRow = (row: CheckpointRow): Checkpoint => ({
  name: row.name,
  version: row.version,
  position: BigInt(row.position),
  revision: Number(row.revision),
  epoch: BigInt(row.epoch),
  owner: row.owner,
  rebuildRequested: row.rebuild_requested,
});

/** Names are put into statements as they are. */
function assertName(name: string): void {
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(name)) throw new Error(`no read model may be called ${JSON.stringify(name)}`);
}

/**
 * Creates the tables of a read model that has none, empty and at the start. With `toBeRebuilt` it creates none and sets
 * version 0, so that a rebuild fills the read model. Over a long history that is faster than following event by event,
 * and until then nobody takes empty tables for the journal's result.
 */
export async function ensureReadModel(
  client: Client,
  model: ReadModel,
  { toBeRebuilt }: { readonly toBeRebuilt: boolean },
): Promise<void> {
  assertName(model.name);
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`projections:${model.name}`]);
    const known = await client.query(`select 1 from ${TABLE} where name = $1`, [model.name]);
    if (known.rowCount === 0) {
      if (!toBeRebuilt) await client.query(`set local search_path = ${READ_SCHEMA}; ${model.ddl}; ${model.indexes}`);
      await client.query(
        `insert into ${TABLE} (name, version, position, revision, tables) values ($1, $2, -1, -1, $3)`,
        toBeRebuilt ? [model.name, 0, []] : [model.name, model.version, model.tables],
      );
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

export async function readCheckpoints(db: Pool | Client, names: readonly string[]): Promise<Checkpoint[]> {
  const found = await db.query<CheckpointRow>({
    name: 'read checkpoints',
    text: `select ${COLUMNS} from ${TABLE} c where c.name = any($1) order by c.name`,
    values: [names],
  });
  return found.rows.map(fromRow);
}

/**
 * Takes each of these read models whose lease has run out, or ends later than any lease can: then the database's clock
 * was set back. A locked row belongs to a batch in progress, so its owner is alive. Checkpoints of a newer version are
 * left to processes that know that version.
 */
export async function takeLeases(pool: Pool, owner: string, models: readonly ReadModel[]): Promise<Checkpoint[]> {
  const taken = await pool.query<CheckpointRow>(
    `with free as materialized (
       select f.name from ${TABLE} f join json_to_recordset($2) as m (name text, version integer) on m.name = f.name
       where f.lease_until not between clock_timestamp() and ${LEASE} and f.version <= m.version
       order by f.name for update of f skip locked)
     update ${TABLE} c set owner = $1, epoch = c.epoch + 1, lease_until = ${LEASE}
     from free where c.name = free.name returning ${COLUMNS}`,
    [owner, JSON.stringify(models.map(({ name, version }) => ({ name, version })))],
  );
  return taken.rows.map(fromRow);
}

/** Renews this owner's leases, and returns their current checkpoints. */
export async function renewLeases(pool: Pool, owner: string): Promise<Checkpoint[]> {
  const kept = await pool.query<CheckpointRow>(
    `with mine as materialized (select name from ${TABLE} where owner = $1 order by name for update)
     update ${TABLE} c set lease_until = ${LEASE} from mine where c.name = mine.name returning ${COLUMNS}`,
    [owner],
  );
  return kept.rows.map(fromRow);
}

/** Gives up all leases, so that another process need not wait for them to run out. */
export async function releaseLeases(pool: Pool, owner: string): Promise<void> {
  await pool.query(
    `with mine as materialized (select name from ${TABLE} where owner = $1 order by name for update)
     update ${TABLE} c set owner = null, lease_until = '-infinity' from mine where c.name = mine.name`,
    [owner],
  );
}

export interface Advance {
  /** `position`: the position of the read model and of the owner's memory. */
  readonly held: readonly { readonly name: string; readonly epoch: bigint; readonly position: bigint }[];
  readonly position: bigint;
  readonly revision: number | undefined;
}

/**
 * Opens a batch's transaction and moves its checkpoints, all in one message. The checkpoints come first: their locks
 * keep a former owner's batch and its successor's from touching the same rows at once.
 *
 * `synchronous_commit = off`: rows and checkpoint are lost together or not at all, and lost ones are derived again from
 * the journal, which is durable. Waiting for the disk here would gain nothing. But an owner that survives a crash of
 * Postgres is then ahead of its checkpoint. It must not continue from there, or the lost rows stay lost.
 *
 * @throws LostOwnership a read model's epoch is no longer the caller's, or its checkpoint is not where the caller left
 * it; everything else in the transaction then fails too
 */
export async function openBatch(client: BatchClient, { held, position, revision }: Advance): Promise<void> {
  const list = (values: readonly unknown[]): string => `'{${values.join(',')}}'`;
  const names = list(held.map(({ name }) => name));
  const epochs = list(held.map(({ epoch }) => epoch));
  const positions = list(held.map((run) => run.position));
  try {
    await client.query(
      `begin;
       set local synchronous_commit = off;
       set local search_path = ${READ_SCHEMA};
       set local idle_in_transaction_session_timeout = '${IDLE_SECONDS_MAX}s';
       select ${READ_SCHEMA}.advance(${names}, ${epochs}, ${positions}, ${position}, ${revision ?? -1}, '${LEASE_SECONDS}s')`,
    );
  } catch (error) {
    if (error instanceof DatabaseError && error.code === LOST_OWNERSHIP_STATE) throw new LostOwnership(error.message);
    throw error;
  }
}

/** The progress of read models, for other processes. */
export interface News {
  readonly names: readonly string[];
  readonly revision: number;
}

/** Ends a batch's transaction and tells other processes. */
export async function commitBatch(client: BatchClient, news: News | undefined): Promise<void> {
  const notify = news ? `notify ${PROGRESS_CHANNEL}, '${news.revision}:${news.names.join(',')}'; ` : '';
  await client.query(`${notify}commit`);
}

/**
 * Whether more than one process listens for progress. A notification wakes every connection of the database that listens to
 * anything, and its commit waits for any other that notifies.
 */
export async function othersListen(pool: Pool): Promise<boolean> {
  const found = await pool.query(
    'select from pg_stat_activity where datname = current_database() and application_name = $1 limit 2',
    [LISTENER_NAME],
  );
  return found.rows.length > 1;
}

/** Asks the current owner of a read model to rebuild it. */
export async function requestRebuild(pool: Pool, name: string): Promise<void> {
  const found = await pool.query(`update ${TABLE} set rebuild_requested = true where name = $1`, [name]);
  if (found.rowCount === 0) throw new Error(`no such read model: ${name}`);
}

/**
 * Keeps every process from feeding read models until the caller's transaction ends. @returns a process that feeds them,
 * if there is one: then nothing is held back
 */
export async function holdCheckpoints(client: PoolClient): Promise<string | undefined> {
  const { rows } = await client.query<{ owner: string; held: boolean }>(
    `select owner, lease_until > clock_timestamp() as held from ${TABLE} order by name for update`,
  );
  return rows.find(({ held }) => held)?.owner;
}

/**
 * Resets all read models, in the caller's transaction, because positions belong to another store from now on. Revisions
 * stay: a server that still uses the old store finds that the journal is not there.
 */
export async function startReadModelsAnew(client: PoolClient): Promise<void> {
  await client.query(`update ${TABLE} set version = 0, position = -1, epoch = epoch + 1`);
}
