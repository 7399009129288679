import { hash } from 'node:crypto';
import type pg from 'pg';
import { AppError } from '../errors/app-error.js';
import { type RateLimit, rateLimitHeaders } from './rate-limiter.js';

const RUNS = `w.ends_at between clock_timestamp() and clock_timestamp() + $2 * interval '1 ms'`;

/**
 * A row whose window is over begins anew; so does one that ends later than any window does: the clock was set back. The clock is
 * read once the row is locked: statements that waited for each other may have begun in another order.
 */
const TAKE = `
  insert into rate_limit_windows as w (key, taken, ends_at) values ($1, 1, clock_timestamp() + $2 * interval '1 ms')
  on conflict (key) do update set
    taken = case when ${RUNS} then w.taken + 1 else 1 end,
    ends_at = case when ${RUNS} then w.ends_at else clock_timestamp() + $2 * interval '1 ms' end
  where w.taken < $3 or not (${RUNS})`;
const LEFT = `select extract(epoch from ends_at - now()) as seconds from rate_limit_windows where key = $1`;
const GIVE_BACK = 'update rate_limit_windows set taken = taken - 1 where key = $1 and taken > 0 and ends_at > now()';

/** Deletes windows that are over. */
export const SWEEP_RATE_LIMITS = 'delete from rate_limit_windows where ends_at < now()';

/**
 * As `RateLimiter`, for what must not be tried again at the next server: counted in the database, for all processes. For what
 * is rare and costly by itself, because each count is a statement. `rate-limiter-flexible` counts by each server's own clock, and
 * counts what it refuses.
 */
export class SharedRateLimiter {
  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly limit: Omit<RateLimit, 'now'>,
  ) {}

  /**
   * Takes one.
   * @throws AppError 429 none is left; `Retry-After` says when the window ends
   */
  async take(key: string): Promise<void> {
    const { count, windowMs, message } = this.limit;
    const row = this.rowOf(key);
    const { rowCount } = await this.pool.query(TAKE, [row, windowMs, count]);
    if (rowCount === 1) return;
    const { rows } = await this.pool.query<{ seconds: string }>(LEFT, [row]);
    const retryAfterSeconds = Math.max(1, Math.ceil(Number(rows[0]?.seconds ?? 1)));
    const headers = rateLimitHeaders(this.limit, 0, retryAfterSeconds);
    throw new AppError(429, 'TOO_MANY_REQUESTS', message, { retryAfterSeconds, headers });
  }

  /** Gives one back: it was taken in advance and did not count after all. Should that fail, it counts until its window ends. */
  async giveBack(key: string): Promise<void> {
    await this.pool.query(GIVE_BACK, [this.rowOf(key)]).catch(() => undefined);
  }

  /** Keys hold addresses of people and come from outside: kept as a hash, whatever their length. */
  private rowOf(key: string): Buffer {
    return hash('sha256', `${this.limit.name} ${key}`, 'buffer');
  }
}
