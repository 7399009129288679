import { parseArgs } from 'node:util';
import { FAULTS, FAULTS_OF_SERVERS } from './faults.js';
import type { Load, Plant } from './loader.js';
import { simulateSeveralJournals } from './partitions/main.js';
import { PLANTS, PLANTS_OF_SERVERS } from './plants.js';
import { ACTS_IN_A_RUN, simulateServers } from './server-run.js';
import { failureOf, shrink, type Simulation } from './shrink.js';
import { SimulatedDatabase } from './simulated-database.js';
import { COMMANDS_IN_A_RUN, type RunResult, simulateWriters } from './writer-run.js';

const USAGE = `usage: npm run simulate [-- OPTIONS]

  --servers      whole servers, and not the ledger's writers alone
  --seeds N      so many seeds, 1,000 when absent
  --hours H      seeds for so long, instead
  --from N       the first seed, 1 when absent
  --seed N       this seed alone: prints its trace, or the shortest story of its failure
  --plant NAME   with a planted bug
  --plants       every planted bug, each until it is found, in so many seeds at most
  --partitions   several journals with transfers between them, instead: with --seeds, --from, --seed, --plants`;
const SEEDS = 1_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const STACK_LINES = 6;

export interface Simulator {
  readonly root: string;
  /** Loads what simulated processes share. */
  readonly load: Load;
}

interface SimulationKind extends Simulator, Simulation {
  readonly plants: ReadonlyMap<string, Plant>;
}

/** @returns the exit status: 0 when all is well, 1 when something was found, or a planted bug was not, 2 for a wrong call */
export async function simulate(loading: Simulator, args: readonly string[]): Promise<number> {
  const given = readArguments(args);
  if (!given) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  if (given.partitions) return simulateSeveralJournals(loading, given);
  const simulator = given.servers ? await ofServers(loading) : ofWriters(loading);
  if (given.plant !== undefined && !simulator.plants.has(given.plant)) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  if (given.plants) return findPlants(simulator, given);
  if (given.seed !== undefined) return tellSeed(simulator, given.seed, given.plant);
  return runSeeds(simulator, given);
}

const ofWriters = (loading: Simulator): SimulationKind => ({
  ...loading,
  run: simulateWriters,
  commandsInARun: COMMANDS_IN_A_RUN,
  faults: FAULTS,
  plants: PLANTS,
});

/** All runs share one database, which each begins with nothing in it. */
async function ofServers(loading: Simulator): Promise<SimulationKind> {
  const database = await SimulatedDatabase.open(loading.root, loading.load);
  return {
    ...loading,
    run: (options) => simulateServers({ ...options, database }),
    commandsInARun: ACTS_IN_A_RUN,
    faults: FAULTS_OF_SERVERS,
    plants: PLANTS_OF_SERVERS,
  };
}

interface Given {
  readonly servers: boolean;
  readonly from: number;
  readonly seeds: number;
  readonly hours: number | undefined;
  readonly seed: number | undefined;
  readonly plant: string | undefined;
  readonly plants: boolean;
  readonly partitions: boolean;
}

function readArguments(args: readonly string[]): Given | undefined {
  try {
    const text = { type: 'string' } as const;
    const options = {
      seeds: text,
      hours: text,
      from: text,
      seed: text,
      plant: text,
      plants: { type: 'boolean' },
      partitions: { type: 'boolean' },
      servers: { type: 'boolean' },
    } as const;
    const { values } = parseArgs({ args: [...args], options });
    const numbers = [values.seeds, values.hours, values.from, values.seed];
    if (numbers.some((each) => each !== undefined && !/^\d{1,9}(\.\d{1,3})?$/.test(each))) return undefined;
    return {
      from: Number(values.from ?? 1),
      seeds: Number(values.seeds ?? SEEDS),
      hours: values.hours === undefined ? undefined : Number(values.hours),
      seed: values.seed === undefined ? undefined : Number(values.seed),
      plant: values.plant,
      plants: values.plants ?? false,
      partitions: values.partitions ?? false,
      servers: values.servers ?? false,
    };
  } catch {
    return undefined;
  }
}

/** Stops at the first failure. */
async function runSeeds(simulator: SimulationKind, { from, seeds, hours, plant }: Given): Promise<number> {
  const began = performance.now();
  const total = new Total();
  const isDone = (ran: number): boolean =>
    hours === undefined ? ran >= seeds : performance.now() - began >= hours * HOUR_MS;
  const { stackTraceLimit } = Error;
  // A stack for every refusal takes a tenth of the time, and a seed that fails is run again.
  Error.stackTraceLimit = 0;
  for (let seed = from; !isDone(seed - from); seed++) {
    try {
      total.add(await simulator.run({ ...simulator, seed, plant: simulator.plants.get(plant ?? '') }));
    } catch (error) {
      Error.stackTraceLimit = stackTraceLimit;
      say(`Seed ${seed} fails: ${messageOf(error)}`);
      return tellSeed(simulator, seed, plant);
    }
  }
  Error.stackTraceLimit = stackTraceLimit;
  say(total.text(performance.now() - began));
  return 0;
}

async function tellSeed(simulator: SimulationKind, seed: number, plant: string | undefined): Promise<number> {
  const options = { ...simulator, seed, plant: simulator.plants.get(plant ?? '') };
  const failure = await failureOf(simulator, options);
  if (!failure) {
    const { trace, steps, events } = await simulator.run(options);
    say(`Seed ${seed}: all is well. ${steps} steps, ${events} events, trace ${trace}`);
    return 0;
  }
  const story = await shrink(simulator, options, failure);
  say(`Seed ${seed}: ${story.failure.stack?.split('\n').slice(0, STACK_LINES).join('\n') ?? messageOf(story.failure)}`);
  say(
    `It needs commands ${[...story.commands].join(', ') || 'of the opening alone'}, and ${story.faults.join(', ') || 'no fault'}.`,
  );
  return 1;
}

/** Each is found by some seed, or the simulator lacks a fault or a judge. */
async function findPlants(simulator: SimulationKind, { from, seeds }: Given): Promise<number> {
  let missed = 0;
  for (const [name, plant] of simulator.plants) {
    let found: string | undefined;
    for (let seed = from; seed < from + seeds && found === undefined; seed++) {
      const failure = await failureOf(simulator, { ...simulator, seed, plant });
      if (failure) found = `seed ${seed}: ${messageOf(failure)}`;
    }
    if (found === undefined) missed += 1;
    say(`${found === undefined ? 'MISSED' : 'found '}  ${name} (${found ?? `${seeds} seeds`})`);
  }
  return missed === 0 ? 0 : 1;
}

class Total {
  private seeds = 0;
  private steps = 0;
  private events = 0;
  private simulatedMs = 0;
  /** Of all runs, in any order. */
  private trace = 0;
  private readonly faults = new Map<string, number>();

  add({ steps, events, simulatedMs, trace, faults }: RunResult): void {
    this.seeds += 1;
    this.trace = (this.trace + trace) | 0;
    this.steps += steps;
    this.events += events;
    this.simulatedMs += simulatedMs;
    for (const [name, times] of faults) this.faults.set(name, (this.faults.get(name) ?? 0) + times);
  }

  text(ms: number): string {
    const perMinute = Math.round((this.seeds / ms) * MINUTE_MS);
    const hours = (this.simulatedMs / HOUR_MS).toFixed(1);
    return [
      `All is well with ${this.seeds} seeds (${perMinute} a minute): ${this.steps} steps, ${this.events} events, ${hours} simulated hours, trace ${this.trace}`,
      ...[...this.faults]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, times]) => {
          const [fault = '', part = ''] = name.split('|');
          return `  ${fault.padEnd(36)}${part.padEnd(20)}${String(times).padStart(9)}`;
        }),
    ].join('\n');
  }
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 200) ?? '';
