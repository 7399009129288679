import { DatabaseError, type Client } from 'pg';
import type { ReadModel } from '../read-model.js';
import { readCheckpoints, type Checkpoint } from '../runner/checkpoints.js';
import { PROGRESS_CHANNEL, READ_SCHEMA } from '../schema.js';
import type { Replica } from './replica.js';

/** Readers queue behind a swap that waits for other readers, so it gives up soon and tries again. */
const LOCK_MS_MAX = 200;
const LOCK_NOT_AVAILABLE = '55P03';

export async function readCheckpointsBy(
  client: Client,
  models: readonly ReadModel[],
): Promise<ReadonlyMap<string, Checkpoint>> {
  const found = await readCheckpoints(
    client,
    models.map(({ name }) => name),
  );
  return new Map(found.map((checkpoint) => [checkpoint.name, checkpoint]));
}

/** A newer release has rebuilt the read model: this release's tables would replace the newer ones. */
export class OlderThanLive extends Error {
  override readonly name = 'OlderThanLive';
  constructor(name: string) {
    super(`The read model ${name} is of a newer release than this program: use that release to rebuild it.`);
  }
}

/** Removes a request of `requestRebuild` that was fulfilled, but whose result is not to be used. */
export async function dropRebuildRequest(client: Client, name: string): Promise<void> {
  await client.query(`update ${READ_SCHEMA}.checkpoint set rebuild_requested = false where name = $1`, [name]);
}

interface SwapBase {
  readonly version: number;
  readonly position: bigint;
  readonly tables: readonly string[];
}

/**
 * Opens the swap's transaction. Locks the checkpoint first, which holds back live batches, then the live tables. Writes
 * nothing yet, so that giving up loses nothing.
 * @returns undefined if readers hold the tables: then nothing is locked
 */
export async function lockForSwap({ client, model }: Replica): Promise<SwapBase | undefined> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = '${LOCK_MS_MAX}ms'`);
    const found = await client.query<{ version: number; position: string; tables: string[] }>(
      `select version, position, tables from ${READ_SCHEMA}.checkpoint where name = $1 for update`,
      [model.name],
    );
    const [live] = found.rows;
    if (!live) throw new Error(`no such read model: ${model.name}`);
    if (live.version > model.version) throw new OlderThanLive(model.name);
    const tables = live.tables.map((table) => `${READ_SCHEMA}.${table}`);
    if (tables.length > 0) await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
    return { version: live.version, position: BigInt(live.position), tables };
  } catch (error) {
    await client.query('rollback');
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return undefined;
    throw error;
  }
}

/**
 * Replaces the live tables with the replica's, and ends the transaction that `lockForSwap` began, whatever happens.
 * @param catchUp fills in what came last
 */
export async function swapIn(replica: Replica, live: SwapBase, catchUp: () => Promise<void>): Promise<void> {
  const { client, model, schema } = replica;
  try {
    await catchUp();
    const { position, revision } = replica;
    if (live.tables.length > 0) await client.query(`drop table ${live.tables.join(', ')}`);
    for (const table of model.tables) await client.query(`alter table ${schema}.${table} set schema ${READ_SCHEMA}`);
    await client.query(
      `update ${READ_SCHEMA}.checkpoint set version = $2, position = $3, revision = $4, tables = $5, epoch = epoch + 1,
         rebuild_requested = false, updated_at = clock_timestamp(),
         -- Whoever fed another version does not know these tables: somebody who does takes them over.
         owner = case when version = $2 then owner end,
         lease_until = case when version = $2 then lease_until else '-infinity' end
       where name = $1`,
      [model.name, model.version, position, revision, model.tables],
    );
    await client.query(`notify ${PROGRESS_CHANNEL}, '${revision}:${model.name}'`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
