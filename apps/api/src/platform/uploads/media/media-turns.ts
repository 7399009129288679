import { AppError } from '../../errors/app-error.js';

/** Decoding takes a processor and much memory for its time. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 50;

/** Lets so many files be worked on at once; the others wait, and beyond that many are told to come again. */
export class MediaTurns {
  private working = 0;
  private readonly waiting: (() => void)[] = [];

  /** @throws AppError 503 where too many wait already */
  async take<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.working -= 1;
    }
  }

  private enter(): Promise<void> | undefined {
    if (this.working < AT_ONCE_MAX) {
      this.working += 1;
      return undefined;
    }
    if (this.waiting.length >= WAITING_MAX) {
      throw new AppError(
        503,
        'UPLOADS_BUSY',
        'Many files are being prepared right now. Please try again in a moment.',
        {
          retryAfterSeconds: 5,
        },
      );
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
