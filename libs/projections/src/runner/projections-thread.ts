import type { MessagePort } from 'node:worker_threads';
import type { EventStore } from '@app/event-store';
import type { RebuildProgress } from '../rebuild/rebuild.js';
import { readModels } from '../read-models.js';
import type { Reached } from './progress.js';
import { ProjectionRunner } from './projection-runner.js';

/** The calls that the thread answers: the runner's methods of these names. */
export type Answers = Pick<
  ProjectionRunner,
  | 'start'
  | 'stop'
  | 'status'
  | 'isBetweenVersions'
  | 'requestRebuild'
  | 'connections'
  | 'foreignEvents'
  | 'unsigned'
  | 'look'
>;

export interface Ask {
  readonly id: number;
  readonly name: keyof Answers;
  readonly args: readonly unknown[];
}

/** The messages of the thread: events and answers. */
export type Said =
  | { readonly names: readonly string[]; readonly reached: Reached }
  | { readonly info: string }
  | { readonly trouble: string; readonly error: Error | undefined }
  | { readonly rebuild: RebuildProgress }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failed: Error };

/** The thread's side of `ThreadedProjections`: feeds all read models until it is told to stop. */
export async function serveProjections(port: MessagePort, store: EventStore, databaseUrl: string) {
  const say = (said: Said): void => port.postMessage(said);
  const runner = new ProjectionRunner({
    store,
    connectionString: databaseUrl,
    models: readModels,
    logger: {
      info: (info) => say({ info }),
      error: (trouble, error) => say({ trouble, error: error === undefined ? undefined : plain(error) }),
    },
    onRebuildProgress: (rebuild) => say({ rebuild }),
    onProgress: (names, reached) => say({ names, reached }),
  });
  const answer = async ({ id, name, args }: Ask): Promise<void> => {
    try {
      const value = await (runner[name] as (...given: readonly unknown[]) => unknown).apply(runner, [...args]);
      if (name === 'stop') await store.close();
      say({ id, value });
    } catch (error) {
      say({ id, failed: plain(error) });
    }
  };
  port.on('message', (ask: Ask) => void answer(ask));
}

/** The error in a form that can be sent: its other properties may not be clonable. */
function plain(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { message, stack } = error;
  return Object.assign(new Error(message), { stack });
}
