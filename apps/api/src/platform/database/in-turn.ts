import type pg from 'pg';

/**
 * Runs work in one process of an installation: not at all where another one is at it already. When the connection goes, so
 * does the turn; work must be such that a second run beside the first does no harm.
 * @returns whether it was this process's turn
 */
export async function inTurn(pool: pg.Pool, lock: number, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  let failed = false;
  const fail = (): void => {
    failed = true;
  };
  client.on('error', fail);
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [lock]);
    if (rows[0]?.mine !== true) return false;
    try {
      await work();
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lock]).catch(fail);
    }
    return true;
  } finally {
    client.off('error', fail);
    // A connection that broke gave its turn back by breaking.
    client.release(failed);
  }
}
