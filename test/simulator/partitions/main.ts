import { createLoader, type Plant } from '../loader.js';
import type { Simulator } from '../main.js';
import { PARTITION_PLANTS, withTransit } from './plants.js';
import type { RunOptions, RunResult, Wait } from './run.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const STACK_LINES = 6;
const WAITS: readonly Wait['what'][] = ['gift within', 'sent across', 'arrived across', 'given back'];

interface Given {
  readonly from: number;
  readonly seeds: number;
  readonly seed: number | undefined;
  readonly plants: boolean;
}

/** @returns the exit status, as of `simulate` */
export async function simulateSeveralJournals({ root }: Simulator, given: Given): Promise<number> {
  if (given.plants) return findPlants(root, given);
  const run = runnerOf(root);
  const total = new Total();
  const began = performance.now();
  const [first, count] = given.seed === undefined ? [given.from, given.seeds] : [given.seed, 1];
  for (let seed = first; seed < first + count; seed++) {
    try {
      total.add(await run(seed));
    } catch (error) {
      say(`Seed ${seed} fails: ${(error as Error).stack?.split('\n').slice(0, STACK_LINES).join('\n')}`);
      return 1;
    }
  }
  say(total.text(performance.now() - began));
  return 0;
}

type Runner = (seed: number) => Promise<RunResult>;

/** All of the simulation in modules of its own, in which the movement across is among the product's. */
function runnerOf(root: string, bug?: Plant): Runner {
  const load = createLoader({ root, surroundings: globalThis, plant: withTransit(bug) });
  const { simulatePartitions } = load('test/simulator/partitions/run.ts') as {
    simulatePartitions: (options: RunOptions) => Promise<RunResult>;
  };
  return (seed) => simulatePartitions({ root, load, seed });
}

async function findPlants(root: string, { from, seeds }: Given): Promise<number> {
  let missed = 0;
  for (const [name, bug] of PARTITION_PLANTS) {
    const run = runnerOf(root, bug);
    const found = await firstFound(run, from, seeds);
    if (found === undefined) missed += 1;
    say(`${found === undefined ? 'MISSED' : 'found '}  ${name} (${found ?? `${seeds} seeds`})`);
  }
  return missed === 0 ? 0 : 1;
}

async function firstFound(run: Runner, from: number, seeds: number): Promise<string | undefined> {
  for (let seed = from; seed < from + seeds; seed++) {
    try {
      await run(seed);
    } catch (error) {
      return `seed ${seed}: ${(error as Error).message.split('\n', 1)[0]}`;
    }
  }
  return undefined;
}

class Total {
  private readonly results: RunResult[] = [];

  add(result: RunResult): void {
    this.results.push(result);
  }

  text(ms: number): string {
    const { results } = this;
    const sum = (of: (result: RunResult) => number): number => results.reduce((all, result) => all + of(result), 0);
    const perMinute = Math.round((results.length / ms) * MINUTE_MS);
    const hours = (sum(({ simulatedMs }) => simulatedMs) / HOUR_MS).toFixed(1);
    return [
      `All is well with ${results.length} seeds of several journals (${perMinute} a minute): ` +
        `${sum(({ steps }) => steps)} steps, ${sum(({ events }) => events)} events, ${hours} simulated hours, ` +
        `${sum(({ arrived }) => arrived)} transfers arrived and ${sum(({ givenBack }) => givenBack)} were given back, ` +
        `trace ${results.reduce((all, { trace }) => (all + trace) | 0, 0)}`,
      ...this.faults(),
      'simulated ms                              waits      p50      p99',
      ...this.waits('without faults', ({ isCalm }) => isCalm),
      ...this.waits('with faults', ({ isCalm }) => !isCalm),
      'while a partition is lost                 asked     done meanwhile',
      ...this.whileLost(),
    ].join('\n');
  }

  private faults(): string[] {
    const faults = new Map<string, number>();
    for (const result of this.results) {
      for (const [name, times] of result.faults) faults.set(name, (faults.get(name) ?? 0) + times);
    }
    return [...faults]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, times]) => {
        const [fault = '', part = ''] = name.split('|');
        return `  ${fault.padEnd(26)}${part.padEnd(26)}${String(times).padStart(9)}`;
      });
  }

  private waits(title: string, isCounted: (result: RunResult) => boolean): string[] {
    const waits = this.results.filter(isCounted).flatMap((result) => result.waits);
    return WAITS.map((what) => {
      const sorted = waits
        .filter((wait) => wait.what === what)
        .map(({ ms }) => ms)
        .toSorted((a, b) => a - b);
      const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1).padStart(9);
      return `  ${`${what}, ${title}`.padEnd(36)}${String(sorted.length).padStart(9)}${at(0.5)}${at(0.99)}`;
    });
  }

  private whileLost(): string[] {
    const asked = this.results.flatMap(({ whileLost }) => whileLost);
    return [...new Set(asked.map(({ what }) => what))].toSorted().map((what) => {
      const those = asked.filter((each) => each.what === what);
      const done = those.filter(({ isDone }) => isDone).length;
      return `  ${what.padEnd(36)}${String(those.length).padStart(9)}${String(done).padStart(9)}`;
    });
  }
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
