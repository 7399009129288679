import { type Client, DatabaseError, type Pool, type PoolClient } from 'pg';
import type { BatchClient, ReadModel } from '../read-model.js';
import { LOST_OWNERSHIP_STATE, PROGRESS_CHANNEL, READ_SCHEMA } from '../schema.js';
import { LISTENER_NAME } from './progress-listener.js';

/** How long a read model stays with a process that is no longer heard of, by database time. */
const LEASE_SECONDS = 3;

/** A batch whose process stopped half-way must not keep its successor out for longer than this. */
const IDLE_SECONDS_MAX = 4;

export class LostOwnership extends Error {
  override readonly name = 'LostOwnership';
}

export interface Checkpoint {
  readonly name: string;
  readonly version: number;
  readonly position: bigint;
  readonly revision: number;
  /** Rises with every new owner and with every swap: who applies under an older one writes nothing. */
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
 * Makes the tables of a read model that has none, empty and at the start. With `toBeRebuilt` it gets none and version 0: a
 * rebuild fills it, which is faster over a long history than following it event by event, and until then nobody takes empty
 * tables for what the journal gives.
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
 * Takes every one of these read models whose lease has run out, or ends later than any lease does: then the database's clock
 * was set back since. A row that is locked belongs to a batch under way: its owner lives. A checkpoint of a newer version is
 * left to the processes that know that version.
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

/** Keeps what is this owner's, and answers with it as it stands now. */
export async function renewLeases(pool: Pool, owner: string): Promise<Checkpoint[]> {
  const kept = await pool.query<CheckpointRow>(
    `with mine as materialized (select name from ${TABLE} where owner = $1 order by name for update)
     update ${TABLE} c set lease_until = ${LEASE} from mine where c.name = mine.name returning ${COLUMNS}`,
    [owner],
  );
  return kept.rows.map(fromRow);
}

/** Gives everything back, so that another process need not wait for the leases to run out. */
export async function releaseLeases(pool: Pool, owner: string): Promise<void> {
  await pool.query(
    `with mine as materialized (select name from ${TABLE} where owner = $1 order by name for update)
     update ${TABLE} c set owner = null, lease_until = '-infinity' from mine where c.name = mine.name`,
    [owner],
  );
}

export interface Advance {
  /** `position`: where the owner left the read model, and everything that it keeps in memory. */
  readonly held: readonly { readonly name: string; readonly epoch: bigint; readonly position: bigint }[];
  readonly position: bigint;
  readonly revision: number | undefined;
}

/**
 * Opens a batch's transaction and moves its checkpoints, all in one message. The checkpoints come first: they are the fence
 * behind which a former owner's batch and its successor's never touch the same rows at once.
 *
 * `synchronous_commit = off`: rows and checkpoint are lost together or not at all, and what is lost is derived again from
 * the journal, which is durable. Waiting for the disk here would buy nothing. But an owner that outlives a crash of Postgres
 * then stands beyond its checkpoint: it must not go on from there, or what was lost stays lost.
 *
 * @throws LostOwnership a read model's epoch is no longer the caller's, or its checkpoint is not where the caller left it;
 * everything else in the transaction then fails too
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

/** News for other processes of how far read models are. */
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

/** Asks the owner of a read model, whoever that is, to rebuild it. */
export async function requestRebuild(pool: Pool, name: string): Promise<void> {
  const found = await pool.query(`update ${TABLE} set rebuild_requested = true where name = $1`, [name]);
  if (found.rowCount === 0) throw new Error(`no such read model: ${name}`);
}

/** Until the caller's transaction ends nobody feeds read models. @returns who does, where somebody does: then it holds nothing back */
export async function holdCheckpoints(client: PoolClient): Promise<string | undefined> {
  const { rows } = await client.query<{ owner: string; held: boolean }>(
    `select owner, lease_until > clock_timestamp() as held from ${TABLE} order by name for update`,
  );
  return rows.find(({ held }) => held)?.owner;
}

/**
 * Makes all read models anew, in the caller's transaction, because positions are another store's from now on. Revisions stay: a
 * server that looks for the journal where it was finds that it is not there.
 */
export async function startReadModelsAnew(client: PoolClient): Promise<void> {
  await client.query(`update ${TABLE} set version = 0, position = -1, epoch = epoch + 1`);
}
