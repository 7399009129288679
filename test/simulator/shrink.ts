import type { Fault } from './faults.js';
import type { RunOptions, RunResult } from './writer-run.js';

/** A shorter story of a failure: the commands and kinds of faults that it still needs. */
export interface Story {
  readonly commands: ReadonlySet<number>;
  readonly faults: readonly Fault[];
  readonly failure: Error;
}

/** What is simulated: the ledger's writers alone, or whole servers. */
export interface Simulation {
  readonly run: (options: RunOptions) => Promise<RunResult>;
  /** Of members in one run. */
  readonly commandsInARun: number;
  readonly faults: readonly Fault[];
}

/** What a run fails with, undefined where all is well. */
export async function failureOf({ run }: Pick<Simulation, 'run'>, options: RunOptions): Promise<Error | undefined> {
  try {
    await run(options);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Drops commands first, in halves, quarters and so on, then kinds of faults, as long as something fails. */
export async function shrink(simulation: Simulation, options: RunOptions, failure: Error): Promise<Story> {
  let story = {
    commands: new Set(Array.from({ length: simulation.commandsInARun }, (_, n) => n)),
    without: new Set<Fault>(),
    failure,
  };
  const tries = async (next: Partial<Pick<typeof story, 'commands' | 'without'>>): Promise<boolean> => {
    const { commands, without } = { ...story, ...next };
    const found = await failureOf(simulation, { ...options, commands, without });
    if (found) story = { commands, without, failure: found };
    return found !== undefined;
  };
  for (let size = Math.ceil(simulation.commandsInARun / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < simulation.commandsInARun; from += size) {
      const left = new Set([...story.commands].filter((n) => n < from || n >= from + size));
      if (left.size < story.commands.size) await tries({ commands: left });
    }
  }
  for (const fault of simulation.faults) await tries({ without: new Set([...story.without, fault]) });
  return {
    commands: story.commands,
    faults: simulation.faults.filter((fault) => !story.without.has(fault)),
    failure: story.failure,
  };
}
