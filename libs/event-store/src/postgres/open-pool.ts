import { Pool, type PoolConfig } from 'pg';

/**
 * A pool whose connections may break at any moment: the statement that is under way fails, or the next one, and the pool makes
 * another connection. The driver alone ends the process when a connection breaks that nobody listens to, which every
 * connection is that was taken from a pool for a transaction.
 * @param onBroken called once for each connection that broke
 */
export function openPool(settings: PoolConfig, onBroken: (error: Error) => void = () => undefined): Pool {
  const pool = new Pool(settings);
  // Tells of connections that nobody has; each connection tells of itself as well.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', onBroken));
  return pool;
}
