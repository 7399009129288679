import { COMMANDS_IN_A_RUN, type RunOptions, simulateWriters } from './writer-run.js';
import { type Fault, FAULTS } from './faults.js';

/** A shorter story of a failure: the commands and kinds of faults that it still needs. */
export interface Story {
  readonly commands: ReadonlySet<number>;
  readonly faults: readonly Fault[];
  readonly failure: Error;
}

/** What a run fails with, undefined where all is well. */
export async function failureOf(options: RunOptions): Promise<Error | undefined> {
  try {
    await simulateWriters(options);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Drops commands first, in halves, quarters and so on, then kinds of faults, as long as something fails. */
export async function shrink(options: RunOptions, failure: Error): Promise<Story> {
  let story = {
    commands: new Set(Array.from({ length: COMMANDS_IN_A_RUN }, (_, n) => n)),
    without: new Set<Fault>(),
    failure,
  };
  const tries = async (next: Partial<Pick<typeof story, 'commands' | 'without'>>): Promise<boolean> => {
    const { commands, without } = { ...story, ...next };
    const found = await failureOf({ ...options, commands, without });
    if (found) story = { commands, without, failure: found };
    return found !== undefined;
  };
  for (let size = COMMANDS_IN_A_RUN / 2; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < COMMANDS_IN_A_RUN; from += size) {
      const left = new Set([...story.commands].filter((n) => n < from || n >= from + size));
      if (left.size < story.commands.size) await tries({ commands: left });
    }
  }
  for (const fault of FAULTS) await tries({ without: new Set([...story.without, fault]) });
  return {
    commands: story.commands,
    faults: FAULTS.filter((fault) => !story.without.has(fault)),
    failure: story.failure,
  };
}
