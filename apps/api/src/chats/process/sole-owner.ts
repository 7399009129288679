import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const LOOK_EVERY_MS = 1_000;
/** A connection that broke unnoticed has given the lock away: it is asked so often. */
const PROVE_EVERY_MS = 1_000;

/**
 * Runs work in one process of an installation at a time: whoever holds this lock of Postgres. When the connection goes, so
 * does the lock, and the work is told to end; another process takes over within a second.
 */
export async function asSoleOwner(
  { pool, lock, signal }: { readonly pool: pg.Pool; readonly lock: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  const lost = new AbortController();
  const lose = (): void => lost.abort();
  client.on('error', lose);
  client.on('end', lose);
  const ending = AbortSignal.any([signal, lost.signal]);
  try {
    while (!ending.aborted && !(await tryLock(client, lock))) await pause(LOOK_EVERY_MS, ending);
    if (ending.aborted) return;
    await Promise.race([Promise.all([work(ending), prove(client, ending, lost)]), aborted(lost.signal)]);
  } finally {
    lost.abort();
    client.off('end', lose);
    // Ending the connection gives the lock back whatever state it is in.
    client.release(true);
  }
}

async function tryLock(client: pg.PoolClient, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [lock]);
  return rows[0]?.mine === true;
}

async function prove(client: pg.PoolClient, ending: AbortSignal, lost: AbortController): Promise<void> {
  while (!ending.aborted) {
    await pause(PROVE_EVERY_MS, ending);
    if (ending.aborted) return;
    await client.query('select 1').catch(() => lost.abort());
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
