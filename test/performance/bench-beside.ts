import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CONNECTIONS, openServers, runLoad, WARM_UP_SECONDS } from './bench-http.js';
import type { LoadRequest } from './http-load.js';
import type { PlainOrder } from './plain-fastify.js';
import { familyMs, idle, mainThreadMs, postmasterOf, processMs, tellsProcessorTime } from './processor-time.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';
import { freshKey } from './gifts.js';

const PLAIN = fileURLToPath(new URL('./plain-fastify.js', import.meta.url));
/** Node writes these for each answer. */
const WRITTEN_BY_NODE = ['date', 'connection', 'keep-alive', 'content-length'];
/** How often both are measured in turns. */
const ROUNDS = 4;

type Times = Readonly<Record<'main' | 'threads' | 'postgres' | 'client', number>>;

/**
 * Gifts over HTTP beside a Fastify that validates the same body and answers the same bytes, with the same client and in
 * turns; and the processor time of a gift, with what follows its answer.
 */
export async function benchBeside(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const nova = await openServers({ servers: 1, connections: CONNECTIONS, recipients: 'callers' }, surroundings);
  const pid = nova.pids[0] ?? 0;
  let plain: Awaited<ReturnType<typeof openPlain>> | undefined;
  try {
    plain = await openPlain(nova.ports[0] ?? 0, nova.requests[0]);
    const novaLoad = { ports: nova.ports, requests: nova.requests, warmUpSeconds: 0, seconds };
    const plainLoad = { ...novaLoad, ports: [plain.port] };
    await runLoad({ ...novaLoad, seconds: 0, warmUpSeconds: WARM_UP_SECONDS });
    await runLoad({ ...plainLoad, seconds: 0, warmUpSeconds: WARM_UP_SECONDS / 3 });
    const postmaster = tellsProcessorTime ? await postmasterOf(nova.databaseUrl) : 0;
    const times = (): Times => {
      const { user, system } = process.cpuUsage();
      const main = mainThreadMs(pid);
      return {
        main,
        threads: processMs(pid) - main,
        postgres: familyMs(postmaster),
        client: (user + system) / 1_000,
      };
    };
    const usedMs = (): number => Object.values(times()).reduce((all, ms) => all + ms, 0);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const plainRate = (await runLoad(plainLoad)).perSecond;
      if (tellsProcessorTime) await idle(usedMs);
      const before = tellsProcessorTime ? times() : undefined;
      const { perSecond, latenciesMs } = await runLoad(novaLoad);
      if (tellsProcessorTime) await idle(usedMs);
      const used = before && differences(before, times(), latenciesMs.length);
      rounds.push({ ratio: perSecond / plainRate, perSecond, plainRate, p99: percentile(latenciesMs, 99), used });
    }
    return figuresOf(rounds);
  } finally {
    plain?.process.disconnect();
    await nova.close();
  }
}

interface Round {
  readonly ratio: number;
  readonly perSecond: number;
  readonly plainRate: number;
  readonly p99: number;
  /** Milliseconds a gift. */
  readonly used: Times | undefined;
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const median = (of: (round: Round) => number): number => percentile(rounds.map(of), 50);
  const ratios = rounds.map(({ ratio }) => ratio);
  const group = `gifts over HTTP beside a plain Fastify, ${CONNECTIONS} connections`;
  const used = (of: (times: Times) => number): number => median((round) => (round.used ? of(round.used) : NaN));
  const time = 'processor time a gift';
  return [
    { group, name: 'gifts, median', value: median(({ perSecond }) => perSecond), unit: '/s' },
    { group, name: 'plain Fastify, median', value: median(({ plainRate }) => plainRate), unit: '/s' },
    { group, name: 'gifts ÷ plain, least', value: Math.min(...ratios), unit: '×' },
    { group, name: 'gifts ÷ plain, median', value: median(({ ratio }) => ratio), unit: '×', goal: atLeast(0.35) },
    { group, name: 'gifts ÷ plain, most', value: Math.max(...ratios), unit: '×' },
    { group, name: 'p99, median', value: median(({ p99 }) => p99), unit: 'ms', goal: { at: '<=', value: 30 } },
    ...(tellsProcessorTime
      ? [
          {
            group: time,
            name: 'all processes',
            value: used(({ main, threads, postgres, client }) => main + threads + postgres + client),
            unit: 'ms',
            goal: { at: '<=', value: 0.22 } as const,
          },
          { group: time, name: 'server, main thread', value: used(({ main }) => main), unit: 'ms' },
          { group: time, name: 'server, other threads', value: used(({ threads }) => threads), unit: 'ms' },
          { group: time, name: 'Postgres', value: used(({ postgres }) => postgres), unit: 'ms' },
          { group: time, name: 'load generator', value: used(({ client }) => client), unit: 'ms' },
        ]
      : []),
  ];
}

const atLeast = (value: number): NonNullable<Figure['goal']> => ({ at: '>=', value });

const differences = (before: Times, after: Times, gifts: number): Times => ({
  main: (after.main - before.main) / gifts,
  threads: (after.threads - before.threads) / gifts,
  postgres: (after.postgres - before.postgres) / gifts,
  client: (after.client - before.client) / gifts,
});

async function openPlain(novaPort: number, request: LoadRequest | undefined) {
  const response = await fetch(`http://localhost:${novaPort}/api/gifts/send`, {
    method: 'POST',
    headers: { ...request?.headers, 'content-type': 'application/json', 'idempotency-key': freshKey() },
    body: request?.body ?? '',
  });
  if (response.status !== 201) throw new Error(`a gift was answered with ${response.status}`);
  const order: PlainOrder = {
    headers: Object.fromEntries([...response.headers].filter(([name]) => !WRITTEN_BY_NODE.includes(name))),
    answer: (await response.json()) as Record<string, unknown>,
  };
  const child: ChildProcess = fork(PLAIN);
  child.send(order);
  const [port] = (await once(child, 'message')) as [number];
  return { process: child, port };
}
