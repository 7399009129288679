import type pg from 'pg';
import { repeatDeadlocked } from './deadlocks.js';

type Connecting = Pick<pg.Pool, 'connect'>;
type Work<T> = (client: pg.PoolClient) => Promise<T>;

/**
 * Runs work in one transaction: all or nothing. The work must use only its own client, because all others may be
 * waiting. After a deadlock it runs again.
 */
export const inTransaction = <T>(pool: Connecting, work: Work<T>): Promise<T> =>
  repeatDeadlocked(() => inOneTransaction(pool, work));

async function inOneTransaction<T>(pool: Connecting, work: Work<T>): Promise<T> {
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
