import type { Pool } from 'pg';

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
