/** Runs a limited number of tasks at a time; the others wait in order of arrival. */
export class TaskQueue {
  #free: number;
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  readonly #idle: (() => void)[] = [];

  constructor(max: number) {
    this.#max = max;
    this.#free = max;
  }

  async take<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      this.#giveBack();
    }
  }

  /** Resolves when no task runs or waits. */
  idle(): Promise<void> {
    if (this.#free === this.#max) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next) return next();
    this.#free += 1;
    if (this.#free === this.#max) for (const resolve of this.#idle.splice(0)) resolve();
  }
}
