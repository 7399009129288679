import type { Pool } from 'pg';
import { eventually } from './eventually.js';

/** During the work a table can be read, but writes to it wait: a read model that is behind. */
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

/** Resolves once a statement waits to write to a blocked table. */
export function somebodyWaitsFor(pool: Pool, table: string): Promise<unknown> {
  return untilLocked(pool, 'relation = $1::regclass', table);
}

/** Works that begin one after the other, each once the one before waits, and that all wait for these rows. */
export async function whileRowsStand<T>(
  pool: Pool,
  rows: string,
  works: readonly (() => Promise<T>)[],
): Promise<readonly T[]> {
  const client = await pool.connect();
  try {
    await client.query(`begin; select from ${rows} for update`);
    const waiting: Promise<T>[] = [];
    for (const work of works) {
      waiting.push(work());
      await eventually(async () => (await pool.query(LOCKED_OUT)).rowCount === waiting.length);
    }
    await client.query('rollback');
    return await Promise.all(waiting);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const LOCKED_OUT = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple')`;

const STANDING = 77;

/** Runs the second work while the first one stands before a statement, such as `delete on wall_comments`. */
export async function whileFirstStands<T>(
  pool: Pool,
  before: string,
  { first, second }: Readonly<Record<'first' | 'second', () => Promise<T>>>,
): Promise<{ readonly first: T; readonly second: T }> {
  const stand = (work: string): string => `create or replace function stand() returns trigger language plpgsql
    as 'begin ${work} return null; end'`;
  await pool.query(`${stand(`perform pg_advisory_xact_lock(${STANDING});`)};
    create trigger stand before ${before} for each statement execute function stand()`);
  const client = await pool.connect();
  try {
    await client.query(`begin; select pg_advisory_xact_lock(${STANDING})`);
    const standing = first();
    await untilLocked(pool, `locktype = 'advisory' and objid = $1`, STANDING);
    await pool.query(stand(''));
    const done = await second();
    await client.query('rollback');
    return { first: await standing, second: done };
  } finally {
    await client.query('rollback; drop function stand cascade');
    client.release();
  }
}

async function untilLocked(pool: Pool, condition: string, value: unknown): Promise<void> {
  const waiting = `select from pg_locks where ${condition} and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await eventually(async () => (await pool.query(waiting, [value])).rowCount);
}
