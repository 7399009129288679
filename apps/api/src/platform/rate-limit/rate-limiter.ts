import { AppError } from '../errors/app-error.js';

export interface RateLimit {
  /** How many may go within `windowMs`, counted from the first of them. */
  readonly count: number;
  readonly windowMs: number;
  readonly message: string;
  /** Monotonic milliseconds; a parameter for tests. */
  readonly now?: () => number;
}

/** Windows kept at most; when there are more, those that are over go, then the oldest. */
const WINDOWS_MAX = 100_000;

interface Window {
  taken: number;
  readonly endsAt: number;
}

/** Counts by key in windows, in memory: each process counts for itself (see `SharedRateLimiter`). */
export class RateLimiter {
  private readonly windows = new Map<string, Window>();
  private readonly now: () => number;

  constructor(private readonly limit: RateLimit) {
    this.now = limit.now ?? (() => performance.now());
  }

  /**
   * Takes one.
   * @throws AppError 429 none is left; `Retry-After` says when the window ends
   */
  take(key: string): void {
    this.check(key);
    this.count(key);
  }

  /**
   * Takes none.
   * @throws AppError 429 none is left
   */
  check(key: string): void {
    const waitMs = this.waitMs(key);
    if (waitMs === 0) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new AppError(429, 'TOO_MANY_REQUESTS', this.limit.message, { retryAfterSeconds });
  }

  /** In how many milliseconds one is left; 0 where one is. Takes none. */
  waitMs(key: string): number {
    const now = this.now();
    const window = this.current(key, now);
    return !window || window.taken < this.limit.count ? 0 : window.endsAt - now;
  }

  /** Takes one, also where none is left: it has happened. */
  count(key: string): void {
    const now = this.now();
    (this.current(key, now) ?? this.open(key, now)).taken += 1;
  }

  /** Gives one back: it was taken in advance and did not count after all. */
  giveBack(key: string): void {
    const window = this.current(key, this.now());
    if (window && window.taken > 0) window.taken -= 1;
  }

  private current(key: string, now: number): Window | undefined {
    const window = this.windows.get(key);
    return window && now < window.endsAt ? window : undefined;
  }

  private open(key: string, now: number): Window {
    if (this.windows.size >= WINDOWS_MAX) this.makeRoom(now);
    const window = { taken: 0, endsAt: now + this.limit.windowMs };
    // Deleted first, so that the map's order stays the order of age.
    this.windows.delete(key);
    this.windows.set(key, window);
    return window;
  }

  private makeRoom(now: number): void {
    for (const [key, window] of this.windows) {
      if (now < window.endsAt) break;
      this.windows.delete(key);
    }
    for (const key of this.windows.keys()) {
      if (this.windows.size < WINDOWS_MAX) return;
      this.windows.delete(key);
    }
  }
}
