import type pg from 'pg';

/**
 * Runs work in one transaction: all or nothing. The work must use only its own client, because all others may be
 * waiting.
 */
export async function inTransaction<T>(
  pool: Pick<pg.Pool, 'connect'>,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // A connection in an unknown state is not used again.
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

/** A caller with the same words waits until the other transaction has ended. */
export async function holdUntilEnd(client: Pick<pg.PoolClient, 'query'>, words: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [words]);
}
