import v8 from 'node:v8';
import { Random } from './random.js';

/** Whose task it is: the tasks of the dead never run. */
export interface Owner {
  readonly isDead: boolean;
}

/** Something that happens at a moment of simulated time. */
export interface Task {
  readonly atMs: number;
  /** Of tasks at one moment the seed says which is first. */
  readonly tie: number;
  readonly number: number;
  readonly owner: Owner | undefined;
  /** Undefined once it is called off. */
  run: (() => void) | undefined;
}

v8.setFlagsFromString('--allow-natives-syntax');
/** Runs what waits for promises. It works in a turn of the event loop that waits for none itself. */
// oxlint-disable-next-line typescript/no-implied-eval -- the only way to this function of V8
const runMicrotasks = new Function('%PerformMicrotaskCheckpoint()') as () => void;

/** Simulated time and everything that happens in it, in an order that the seed determines. */
export class World {
  readonly random: Random;
  /** Simulated milliseconds since the beginning. */
  nowMs = 0;
  steps = 0;
  /** Equal for equal runs. */
  trace = 0;
  private readonly heap: Task[] = [];
  private made = 0;
  private readonly endings: (() => void)[] = [];

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  /** Something to happen after a time, unless its owner has died by then. */
  after(ms: number, run: () => void, owner?: Owner): Task {
    const task = { atMs: this.nowMs + ms, tie: this.random.next(), number: this.made++, owner, run };
    this.push(task);
    return task;
  }

  /** Called by `end`. */
  atEnd(run: () => void): void {
    this.endings.push(run);
  }

  /** Nothing happens in it any more. */
  end(): void {
    this.heap.length = 0;
    for (const run of this.endings.splice(0)) run();
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /**
   * Lets things happen until it is done, or nothing is left to happen.
   * @throws Error it takes longer than it may, in simulated time
   */
  run(isDone: () => boolean, untilMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          this.runSteps(isDone, untilMs);
          resolve();
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  private runSteps(isDone: () => boolean, untilMs: number): void {
    while (!isDone()) {
      const task = this.pop();
      if (!task) return;
      if (!task.run || task.owner?.isDead) continue;
      if (task.atMs > untilMs) throw new Error(`not done after ${untilMs} simulated ms`);
      this.nowMs = task.atMs;
      this.steps += 1;
      this.trace = (Math.imul(this.trace, 31) + task.number) | 0;
      task.run();
      runMicrotasks();
    }
  }

  private push(task: Task): void {
    const { heap } = this;
    let at = heap.push(task) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up];
      if (!parent || !isBefore(task, parent)) break;
      heap[at] = parent;
      at = up;
    }
    heap[at] = task;
  }

  private pop(): Task | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const least = isRight ? right : left;
      if (!least || !isBefore(least, last)) break;
      heap[at] = least;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (one: Task, other: Task): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.tie < other.tie);
