import type { AppError } from './errors/app-error.js';

export interface TurnsOptions {
  readonly atOnceMax: number;
  readonly waitingMax: number;
  /** What is told to whoever comes when so many wait already. */
  readonly busy: () => AppError;
}

/** Lets so much work go on at once; the rest waits, and beyond that much is told to come again. */
export class Turns {
  private working = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly options: TurnsOptions) {}

  /** @throws AppError where too many wait already */
  async take<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      // Whoever ends hands their place over: `working` stays as it is.
      const next = this.waiting.shift();
      if (next) next();
      else this.working -= 1;
    }
  }

  private enter(): Promise<void> | undefined {
    const { atOnceMax, waitingMax, busy } = this.options;
    if (this.working < atOnceMax) {
      this.working += 1;
      return undefined;
    }
    if (this.waiting.length >= waitingMax) throw busy();
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
