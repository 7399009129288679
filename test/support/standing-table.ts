import type { Pool } from 'pg';
import { eventually } from './eventually.js';

/** Meanwhile a table can be read, and nothing that is written to it arrives: a read model that is behind. */
export async function whileTableStands<T>(pool: Pool, table: string, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(`begin; lock table ${table} in exclusive mode`);
    return await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Until a statement waits to write to a table that stands. */
export async function somebodyWaitsFor(pool: Pool, table: string): Promise<void> {
  const waiting = `select from pg_locks where relation = $1::regclass and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await eventually(async () => (await pool.query(waiting, [table])).rowCount);
}
