import { CONNECTIONS, giftsThrough } from './bench-http.js';
import { CpuShare } from './cpu-share.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

/** Several servers are there for many callers: with the most, one and three are as fast as they get. */
const CONNECTIONS_OF_SERVERS = [CONNECTIONS, 256, 1_536];
/** What a server does for months is asked for, not what its first half minute is: three compile on the same cores. */
const WARM_UP_SECONDS = 40;
/** How often one and three are measured in turns: within minutes the machine's pace changes by more than what is compared. */
const ROUNDS = 3;
/** So little that Postgres and the callers have what they ask for beside three servers on two cores. */
const CORES_OF_A_SERVER = 0.2;

interface Setting {
  readonly connections: number;
  readonly cores?: number;
}

/** Gifts through three servers of one installation against one server, on the same cores. */
export async function benchServers(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const connections of CONNECTIONS_OF_SERVERS) {
    const group = `gifts through servers, ${connections} connections`;
    figures.push(...(await oneAndThree(group, { connections }, surroundings, seconds)));
  }
  return [...figures, atTheirBest(figures)];
}

/** What three can do in total against what one can, each with as many callers as suit it best. */
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

/** The same where each server has its own: what one server more adds when there are cores for it. */
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
