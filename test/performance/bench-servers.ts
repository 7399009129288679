import { CONNECTIONS, giftsThrough } from './bench-http.js';
import { CpuShare } from './cpu-share.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

/** Several servers are for many callers: with the most callers, one server and three reach their best. */
const CONNECTIONS_OF_SERVERS = [CONNECTIONS, 256, 1_536];
/** The steady state is measured, not the first half minute, in which three servers compile on the same cores. */
const WARM_UP_SECONDS = 40;
/**
 * How often one and three servers are measured in turns: within minutes the machine's speed varies by more than the
 * difference.
 */
const ROUNDS = 3;
/** Small enough that Postgres and the callers get all they need next to three servers on two cores. */
const CORES_OF_A_SERVER = 0.2;

interface Setting {
  readonly connections: number;
  readonly cores?: number;
}

/** Compares gifts through three servers of one installation with one server, on the same cores. */
export async function benchServers(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const connections of CONNECTIONS_OF_SERVERS) {
    const group = `gifts through servers, ${connections} connections`;
    figures.push(...(await oneAndThree(group, { connections }, surroundings, seconds)));
  }
  return [...figures, atTheirBest(figures)];
}

/** Compares the total of three servers with one, each with its best number of callers. */
function atTheirBest(figures: readonly Figure[]): Figure {
  const best = (servers: string): number =>
    Math.max(...figures.filter(({ name }) => name === `${servers}, median`).map(({ value }) => value));
  const goal = { at: '>=', value: 1 } as const;
  return {
    group: 'gifts through servers',
    name: 'three ÷ one, at their best',
    value: best('three') / best('one'),
    unit: '×',
    goal,
  };
}

/** The same with cores of its own for each server: what another server adds if there are cores for it. */
export async function benchServersApart(
  surroundings: Surroundings,
  seconds: number,
  log: (line: string) => void,
): Promise<Figure[]> {
  const obstacle = CpuShare.obstacle();
  if (obstacle !== undefined) {
    log(`Servers with cores of their own are not measured: ${obstacle}`);
    return [];
  }
  const group = `gifts through servers of ${CORES_OF_A_SERVER} cores each, ${CONNECTIONS} connections`;
  return oneAndThree(group, { connections: CONNECTIONS, cores: CORES_OF_A_SERVER }, surroundings, seconds);
}

async function oneAndThree(
  group: string,
  setting: Setting,
  surroundings: Surroundings,
  seconds: number,
): Promise<Figure[]> {
  const rates = { one: [] as number[], three: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const servers of round % 2 === 0 ? [1, 3] : [3, 1]) {
      const { perSecond } = await giftsThrough(
        { servers, recipients: 'others', warmUpSeconds: WARM_UP_SECONDS, ...setting },
        surroundings,
        seconds,
      );
      (servers === 1 ? rates.one : rates.three).push(perSecond);
    }
  }
  const ratios = rates.three.map((rate, round) => rate / (rates.one[round] ?? NaN));
  return [
    { group, name: 'one, median', value: percentile(rates.one, 50), unit: '/s' },
    { group, name: 'three, median', value: percentile(rates.three, 50), unit: '/s' },
    { group, name: 'three ÷ one, least', value: Math.min(...ratios), unit: '×' },
    { group, name: 'three ÷ one, median', value: percentile(ratios, 50), unit: '×', goal: { at: '>=', value: 1 } },
    { group, name: 'three ÷ one, most', value: Math.max(...ratios), unit: '×' },
  ];
}
