import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const LOOK_EVERY_MS = 1_000;
/** How often the connection is checked: one that broke unnoticed has lost the lock. */
const PROVE_EVERY_MS = 1_000;
/**
 * A session that is silent for so long is ended by Postgres, and its lock given back: of a process that hangs, or whose
 * machine is gone without a farewell, nothing else would tell. The owner gives up as soon, if it can.
 */
const SILENT_MS_MAX = 3_000;

/**
 * Runs work in one process of an installation at a time: whoever holds this lock of Postgres. When the connection goes, so
 * does the lock, and the work is told to end. Another process takes over within a second, and within four from one that
 * hangs; such a one may still be at work for a moment when it wakes up.
 */
export function asSoleOwner(
  { pool, lock, signal }: { readonly pool: pg.Pool; readonly lock: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  return onOwnConnection(pool, async (client, lost) => {
    const ending = AbortSignal.any([signal, lost.signal]);
    while (!ending.aborted && !(await tryLock(client, lock))) await pause(LOOK_EVERY_MS, ending);
    if (ending.aborted) return;
    await Promise.race([Promise.all([work(ending), prove(client, ending, lost)]), aborted(lost.signal)]);
  });
}

/**
 * Runs work to its end in one process of an installation: not at all where another one is at it already. Should the lock be
 * lost on the way, the work is told so; it must be such that a second run beside the first does no harm.
 * @returns whether it was this process's turn
 */
export function inTurn(pool: pg.Pool, lock: number, work: (lost: AbortSignal) => Promise<void>): Promise<boolean> {
  return onOwnConnection(pool, async (client, lost) => {
    if (!(await tryLock(client, lock))) return false;
    void prove(client, lost.signal, lost);
    try {
      await work(lost.signal);
    } finally {
      // Whoever comes next finds it free; a connection that broke gave it back by breaking.
      await client.query(inTime('select pg_advisory_unlock($1)', [lock])).catch(() => undefined);
    }
    return true;
  });
}

/** SQL for whether some process has its turn now. */
export const isTakenSql = (lock: number): string => `exists (
  select from pg_locks where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and ((classid::bigint << 32) | objid::bigint) = ${lock})`;

/** On a connection that Postgres ends when nothing comes over it, with the locks that it holds. */
async function onOwnConnection<T>(
  pool: pg.Pool,
  use: (client: pg.PoolClient, lost: AbortController) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const lost = new AbortController();
  const lose = (): void => lost.abort();
  client.on('error', lose);
  client.on('end', lose);
  try {
    await client.query(inTime(`set idle_session_timeout = ${SILENT_MS_MAX}`));
    return await use(client, lost);
  } finally {
    lost.abort();
    client.off('end', lose);
    // Ending the connection gives the lock back whatever state it is in.
    client.release(true);
  }
}

async function tryLock(client: pg.PoolClient, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>(inTime('select pg_try_advisory_lock($1) as mine', [lock]));
  return rows[0]?.mine === true;
}

async function prove(client: pg.PoolClient, ending: AbortSignal, lost: AbortController): Promise<void> {
  while (!ending.aborted) {
    await pause(PROVE_EVERY_MS, ending);
    if (ending.aborted) return;
    await client.query(inTime('select 1')).catch(() => lost.abort());
  }
}

const inTime = (text: string, values: unknown[] = []): pg.QueryConfig => {
  const query = { text, values, query_timeout: SILENT_MS_MAX };
  return query;
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
