import { setTimeout as sleep } from 'node:timers/promises';

/** Tasks under way at once. */
const CONCURRENCY = 8;
/** The most waiting tasks; a caller with more waits. */
const WAITING_MAX = 1_000;
const RETRY_MS = 100;
const RETRY_MS_MAX = 60_000;
/** About a quarter of an hour of retries. */
const ATTEMPTS_MAX = 24;

/** Work that an event requires. It may be repeated at any time. */
export interface ChatTask {
  /** For the log. */
  readonly name: string;
  /** Of the event. */
  readonly position: bigint;
  run(): Promise<void>;
}

export interface ChatTasksOptions {
  readonly signal: AbortSignal;
  readonly onError: (task: ChatTask, error: unknown, outcome: 'again' | 'given-up') => void;
}

/**
 * Runs tasks concurrently. A failed task is retried with growing pauses, and delays only the mark behind which
 * everything is done.
 */
export class ChatTasks {
  private readonly unfinished = new Set<ChatTask>();
  private readonly waiting: ChatTask[] = [];
  private readonly room: (() => void)[] = [];
  private running = 0;

  constructor(private readonly options: ChatTasksOptions) {
    options.signal.addEventListener('abort', () => this.makeRoom(), { once: true });
  }

  /** Takes a task. Resolves when there is room for the next one. */
  async add(task: ChatTask): Promise<void> {
    this.unfinished.add(task);
    this.waiting.push(task);
    this.work();
    const isFull = this.waiting.length > WAITING_MAX && !this.options.signal.aborted;
    if (isFull) await new Promise<void>((resolve) => this.room.push(resolve));
  }

  /** The position of the oldest task that is not done, or undefined when all are. */
  get oldest(): bigint | undefined {
    let oldest: bigint | undefined;
    for (const { position } of this.unfinished) if (oldest === undefined || position < oldest) oldest = position;
    return oldest;
  }

  private work(): void {
    while (this.running < CONCURRENCY && !this.options.signal.aborted) {
      const task = this.waiting.shift();
      if (!task) break;
      this.running += 1;
      void this.attempt(task, 1).finally(() => {
        this.running -= 1;
        this.work();
      });
    }
    if (this.waiting.length <= WAITING_MAX) this.makeRoom();
  }

  private makeRoom(): void {
    for (const resume of this.room.splice(0)) resume();
  }

  private async attempt(task: ChatTask, attempts: number): Promise<void> {
    try {
      await task.run();
      this.unfinished.delete(task);
    } catch (error) {
      const { signal, onError } = this.options;
      if (signal.aborted) return;
      const outcome = attempts < ATTEMPTS_MAX ? 'again' : 'given-up';
      onError(task, error, outcome);
      if (outcome === 'given-up') this.unfinished.delete(task);
      // It waits outside of the tasks under way: others take its place meanwhile.
      else void this.later(task, attempts + 1);
    }
  }

  private async later(task: ChatTask, attempts: number): Promise<void> {
    const { signal } = this.options;
    await sleep(Math.min(RETRY_MS * 2 ** attempts, RETRY_MS_MAX), undefined, { signal, ref: false }).catch(
      () => undefined,
    );
    if (!signal.aborted) await this.attempt(task, attempts);
  }

  /** Once the signal was aborted: resolves when nothing is under way any more. */
  async ended(): Promise<void> {
    while (this.running > 0) await sleep(5);
  }
}
