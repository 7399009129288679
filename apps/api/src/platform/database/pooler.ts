import type pg from 'pg';
import { Explained } from '../errors/explained.js';

const WHERE = 'docs/postgres.md (Poolers) says what to set';
/** A pooler may hand out several connections in turn. */
const LOOKS = 5;

/**
 * Whether a connection of ours is one of Postgres. Locks, channels and settings of a session belong to Postgres's connection; a
 * pooler that lends one for a transaction or a statement loses them or gives them to somebody else.
 * @returns a sentence for operators where a pooler stands between that keeps sessions whole; undefined where none does
 * @throws Explained it does not keep them whole
 */
export async function lookForPooler(pool: pg.Pool): Promise<string | undefined> {
  const [ours, other] = [await pool.connect(), await pool.connect()];
  try {
    const first = await backendOf(ours);
    const isDirect = first === Reflect.get(ours, 'processID');
    if (isDirect) return undefined;
    for (let look = 0; look < LOOKS; look += 1) {
      // Postgres has one process for each connection, and both are open.
      if ((await backendOf(other)) === first || (await backendOf(ours)) !== first) {
        throw new Explained(
          `DATABASE_URL leads to a pooler that shares connections between transactions. Nova needs sessions of its own, for locks and notifications; ${WHERE}.`,
        );
      }
    }
    return `DATABASE_URL leads to a pooler. It keeps sessions whole, but it must hold all connections of each server; ${WHERE}.`;
  } finally {
    ours.release();
    other.release();
  }
}

async function backendOf(client: pg.PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
