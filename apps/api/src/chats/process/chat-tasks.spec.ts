import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatTask, ChatTasks } from './chat-tasks.js';

function newGate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

describe('tasks of the process manager', () => {
  let stopping: AbortController;
  let faults: string[];
  let tasks: ChatTasks;

  beforeEach(() => {
    stopping = new AbortController();
    faults = [];
    tasks = new ChatTasks({
      signal: stopping.signal,
      onError: ({ name }, _error, outcome) => faults.push(`${name} ${outcome}`),
    });
  });
  afterEach(async () => {
    stopping.abort();
    await tasks.ended();
  });

  const task = (name: string, position: bigint, run: () => Promise<void>): ChatTask => ({ name, position, run });
  const idle = async (): Promise<void> => {
    while (tasks.oldest !== undefined) await sleep(5);
  };

  it('holds the mark at the oldest task that is not done', async () => {
    const gate = newGate();
    await tasks.add(task('slow', 3n, () => gate.opened));
    await tasks.add(task('fast', 7n, () => Promise.resolve()));
    await sleep(5);
    expect(tasks.oldest).toBe(3n);
    gate.open();
    await idle();
  });

  it('tries what failed again, and lets others pass meanwhile', async () => {
    const done: string[] = [];
    let left = 2;
    await tasks.add(
      task('moody', 1n, async () => {
        if (left-- > 0) throw new Error('not now');
        done.push('moody');
      }),
    );
    await tasks.add(task('other', 2n, async () => void done.push('other')));
    await idle();
    expect(done).toEqual(['other', 'moody']);
    expect(faults).toEqual(['moody again', 'moody again']);
  });

  it('has few under way at once, and makes whoever brings too many wait', async () => {
    const gate = newGate();
    let running = 0;
    let most = 0;
    let added = 0;
    const adding = (async () => {
      for (let index = 0; index < 1_100; index++) {
        await tasks.add(
          task(`task ${index}`, BigInt(index), async () => {
            running += 1;
            most = Math.max(most, running);
            await gate.opened;
            running -= 1;
          }),
        );
        added += 1;
      }
    })();
    await sleep(20);
    expect(added).toBeLessThan(1_100);
    gate.open();
    await adding;
    await idle();
    expect(most).toBe(8);
  });

  it('leaves nobody waiting when it ends', async () => {
    const never = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
    const adding = (async () => {
      for (let index = 0; index < 1_100; index++) await tasks.add(task(`task ${index}`, 1n, () => never));
    })();
    await sleep(5);
    stopping.abort();
    await adding;
    await tasks.ended();
    expect(tasks.oldest).toBe(1n);
  });
});
