export interface BucketOptions {
  readonly perSecond: number;
  readonly atOnce: number;
  /** Monotonic milliseconds; a parameter for tests. */
  readonly now?: () => number;
}

/** Lets so many go at once and so many a second from then on; the rest wait their turn. */
export class TokenBucket {
  private tokens: number;
  private filledAt: number;
  private readonly now: () => number;

  constructor(private readonly options: BucketOptions) {
    this.now = options.now ?? (() => performance.now());
    this.tokens = options.atOnce;
    this.filledAt = this.now();
  }

  /** Takes one, and answers in how many milliseconds it may be used: 0 for now. */
  take(): number {
    const { perSecond, atOnce } = this.options;
    const now = this.now();
    this.tokens = Math.min(atOnce, this.tokens + ((now - this.filledAt) * perSecond) / 1000) - 1;
    this.filledAt = now;
    return this.tokens >= 0 ? 0 : (-this.tokens * 1000) / perSecond;
  }
}
