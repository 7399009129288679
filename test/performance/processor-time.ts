import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** The kernel counts in hundredths of a second (`USER_HZ`, the same on every machine that Node runs on). */
const MS_PER_TICK = 10;
/** Of `/proc/PID/stat`, after the name of the program, which may hold blanks: what proc(5) calls fields 4 and 14 to 17. */
const PARENT = 1;
const OWN_TIMES = [11, 12];
const TIMES_WITH_ENDED_CHILDREN = [...OWN_TIMES, 13, 14];

/** Work that answers do not wait for has ended when a server and its database use less than this share of a core. */
const IDLE_SHARE = 0.1;
const IDLE_LOOK_MS = 500;
const IDLE_MS_MAX = 30_000;

/** Whether the system tells processes' times (Linux). */
export const tellsProcessorTime = existsSync('/proc/self/stat');

function stat(place: string): readonly string[] {
  const text = readFileSync(`/proc/${place}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const sumOf = (fields: readonly string[], places: readonly number[]): number =>
  places.reduce((sum, place) => sum + Number(fields[place]), 0) * MS_PER_TICK;

/** Milliseconds of processor time that a process has used, all its threads. */
export const processMs = (pid: number): number => sumOf(stat(String(pid)), OWN_TIMES);

/** Of it, that of the thread that runs the program's own code. */
export const mainThreadMs = (pid: number): number => sumOf(stat(`${pid}/task/${pid}`), OWN_TIMES);

/** The process that all of a Postgres' processes are children of. */
export async function postmasterOf(databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return Number(stat(String(rows[0]?.pid))[PARENT]);
  } finally {
    await client.end();
  }
}

/** Milliseconds of processor time of a process and of its children, ended ones included. */
export function familyMs(parent: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  let sum = sumOf(stat(String(parent)), TIMES_WITH_ENDED_CHILDREN);
  for (const pid of pids) {
    try {
      const fields = stat(pid);
      if (Number(fields[PARENT]) === parent) sum += sumOf(fields, OWN_TIMES);
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum;
}

/**
 * Until what follows the last answers is done.
 * @param usedMs the processor time that its processes have used so far
 * @param servers how many they are: each looks for work now and then
 */
export async function idle(usedMs: () => number, servers = 1): Promise<void> {
  const until = performance.now() + IDLE_MS_MAX;
  for (let last = usedMs(); performance.now() < until;) {
    await pause(IDLE_LOOK_MS);
    const now = usedMs();
    if (now - last < servers * IDLE_SHARE * IDLE_LOOK_MS) return;
    last = now;
  }
}
