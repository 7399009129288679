import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { CONNECTIONS, openServers, runLoad, WARM_UP_SECONDS } from './bench-http.js';
import { familyMs, idle, postmasterOf, processMs, tellsProcessorTime } from './processor-time.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

/** The tests' stand-in, which keeps events in memory and speaks the real wire protocol. */
const STORE = 'test/support/eventstoredb-process.cjs';
/** How often all are measured in turns. */
const ROUNDS = 4;
/** What the way to an EventStoreDB of one's own, and to one that writes to three nodes, adds to each answer. */
const DELAYS_MS = [1, 5] as const;

interface Measured {
  readonly perSecond: number;
  readonly p99: number;
}

/** Gifts over HTTP on EventStoreDB beside the same on Postgres, in turns. */
export async function benchEventStoreDb(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const store = fork(STORE);
  const closed: (() => Promise<void>)[] = [];
  const open = async (env?: Readonly<Record<string, string>>) => {
    const callers = { servers: 1, connections: CONNECTIONS, recipients: 'callers', ...(env && { env }) } as const;
    const opened = await openServers(callers, surroundings);
    closed.push(opened.close);
    return opened;
  };
  try {
    const [url] = (await once(store, 'message')) as [string];
    const [onPostgres, onEventStoreDb] = [await open(), await open({ EVENTSTORE_URL: url })];
    const pids = [...onPostgres.pids, ...onEventStoreDb.pids, store.pid ?? 0];
    const postmaster = tellsProcessorTime ? await postmasterOf(onPostgres.databaseUrl) : 0;
    const usedMs = (): number => pids.reduce((all, pid) => all + processMs(pid), familyMs(postmaster));
    const measured = async ({ ports, requests }: typeof onPostgres): Promise<Measured> => {
      if (tellsProcessorTime) await idle(usedMs, 2);
      const { perSecond, latenciesMs } = await runLoad({ ports, requests, warmUpSeconds: 0, seconds });
      return { perSecond, p99: percentile(latenciesMs, 99) };
    };
    for (const { ports, requests } of [onPostgres, onEventStoreDb]) {
      await runLoad({ ports, requests, warmUpSeconds: WARM_UP_SECONDS, seconds: 0 });
    }
    const postgres: Measured[] = [];
    const delayed = DELAYS_MS.map((delayMs) => ({ delayMs, rounds: [] as Measured[] }));
    for (let round = 0; round < ROUNDS; round++) {
      postgres.push(await measured(onPostgres));
      for (const { delayMs, rounds } of delayed) {
        await delay(store, delayMs);
        rounds.push(await measured(onEventStoreDb));
      }
    }
    const group = `gifts over HTTP, ${CONNECTIONS} connections, journal in Postgres`;
    return [
      { group, name: 'rate, median', value: median(postgres, ({ perSecond }) => perSecond), unit: '/s' },
      { group, name: 'p99, median', value: median(postgres, ({ p99 }) => p99), unit: 'ms' },
      ...delayed.flatMap((given) => figuresOf(given, postgres)),
    ];
  } finally {
    for (const close of closed) await close();
    store.disconnect();
  }
}

async function delay(store: ChildProcess, delayMs: number): Promise<void> {
  store.send(delayMs);
  await once(store, 'message');
}

const median = (rounds: readonly Measured[], of: (round: Measured) => number): number => percentile(rounds.map(of), 50);

function figuresOf(
  { delayMs, rounds }: { readonly delayMs: number; readonly rounds: readonly Measured[] },
  postgres: readonly Measured[],
): Figure[] {
  const group = `the same in EventStoreDB, ${delayMs} ms added to each answer`;
  const ratio = (of: (round: Measured) => number): number => {
    const ratios = rounds.map((round, n) => of(round) / of(postgres[n] ?? round));
    return percentile(ratios, 50);
  };
  return [
    { group, name: 'rate, median', value: median(rounds, ({ perSecond }) => perSecond), unit: '/s' },
    { group, name: 'p99, median', value: median(rounds, ({ p99 }) => p99), unit: 'ms' },
    {
      group,
      name: 'rate ÷ rate on Postgres, median',
      value: ratio(({ perSecond }) => perSecond),
      unit: '×',
      goal: { at: '>=', value: 0.9 },
    },
    {
      group,
      name: 'p99 ÷ p99 on Postgres, median',
      value: ratio(({ p99 }) => p99),
      unit: '×',
      goal: { at: '<=', value: 1.5 },
    },
  ];
}
