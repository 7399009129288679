import { LRUCache } from 'lru-cache';
import { AppError } from '../errors/app-error.js';

export interface RateLimit {
  /** Of its policy, for clients. */
  readonly name: string;
  /** How many may go within `windowMs`, counted from the first of them. */
  readonly count: number;
  readonly windowMs: number;
  readonly message: string;
  /** Monotonic milliseconds; a parameter for tests. */
  readonly now?: () => number;
}

/**
 * What a caller has left, as draft-ietf-httpapi-ratelimit-headers-10 says it: the policy (`q` calls in `w` seconds), and `r` calls
 * left until `t` seconds from now.
 */
export function rateLimitHeaders(
  { name, count, windowMs }: Pick<RateLimit, 'name' | 'count' | 'windowMs'>,
  left: number,
  resetSeconds: number,
): { readonly 'ratelimit-policy': string; readonly ratelimit: string } {
  return {
    'ratelimit-policy': `"${name}";q=${count};w=${windowMs / 1000}`,
    ratelimit: `"${name}";r=${Math.max(0, left)};t=${Math.max(1, Math.ceil(resetSeconds))}`,
  };
}

/** Windows kept at most; beyond them the oldest goes. */
const WINDOWS_MAX = 100_000;

interface Window {
  taken: number;
  readonly endsAt: number;
}

/**
 * Counts by key in windows, in memory: each process counts for itself (see `SharedRateLimiter`). `rate-limiter-flexible` keeps
 * any number of keys with a timer each, answers by promises alone, and follows a clock that can be set back.
 */
export class RateLimiter {
  /** Grows with its keys: a cache of so many entries (`max`) takes all its memory at once. */
  private readonly windows = new LRUCache<string, Window>({ maxSize: WINDOWS_MAX, sizeCalculation: () => 1 });
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
    const headers = this.headers(key);
    throw new AppError(429, 'TOO_MANY_REQUESTS', this.limit.message, { retryAfterSeconds, headers });
  }

  /** In how many milliseconds one is left; 0 where one is. Takes none. */
  waitMs(key: string): number {
    const now = this.now();
    const window = this.current(key, now);
    return !window || window.taken < this.limit.count ? 0 : window.endsAt - now;
  }

  /** What the key has left, as headers of an answer. */
  headers(key: string): Record<string, string> {
    const now = this.now();
    const { taken, endsAt } = this.current(key, now) ?? { taken: 0, endsAt: now + this.limit.windowMs };
    return rateLimitHeaders(this.limit, this.limit.count - taken, (endsAt - now) / 1000);
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
    // Looking is no use: the order stays that of age.
    const window = this.windows.peek(key);
    return window && now < window.endsAt ? window : undefined;
  }

  private open(key: string, now: number): Window {
    const window = { taken: 0, endsAt: now + this.limit.windowMs };
    this.windows.set(key, window);
    return window;
  }
}
