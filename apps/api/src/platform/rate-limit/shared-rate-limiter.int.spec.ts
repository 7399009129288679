import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { AppError } from '../errors/app-error.js';
import { rateLimitMigrations } from './migrations.js';
import { SharedRateLimiter, SWEEP_RATE_LIMITS } from './shared-rate-limiter.js';

const MINUTE_MS = 60_000;
const ALL_BUT_THE_DATE = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;
const REFUSED = { statusCode: 429, code: 'TOO_MANY_REQUESTS', message: 'Slow down.' };

describe('rate limits of all processes together', () => {
  let database: TestDatabase;
  let keys = 0;
  beforeAll(async () => {
    database = await createTestDatabase('limits');
    for (const { sql } of rateLimitMigrations) await database.pool.query(sql);
  });
  afterAll(() => database?.drop());

  const limiter = (count: number, name = 'test'): SharedRateLimiter =>
    new SharedRateLimiter(database.pool, { name, count, windowMs: MINUTE_MS, message: 'Slow down.' });
  const newKey = (): string => `key ${(keys += 1)}`;
  const moveWindows = (by: string): Promise<unknown> =>
    database.pool.query('update rate_limit_windows set ends_at = ends_at + $1::interval', [by]);

  it('let so many go, wherever they are counted, even all at once', async () => {
    const key = newKey();
    const [here, there] = [limiter(5), limiter(5)];
    const results = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => (n % 2 ? here : there).take(key)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(there.take(key)).rejects.toMatchObject({ ...REFUSED, retryAfterSeconds: expect.any(Number) });
  });

  it('count on when a statement that began earlier comes to the row later', async () => {
    const key = newKey();
    const early = await database.pool.connect();
    try {
      await early.query('begin');
      await early.query('select now()');
      for (let n = 0; n < 2; n += 1) await limiter(2).take(key);
      const late = new SharedRateLimiter(early, { name: 'test', count: 2, windowMs: MINUTE_MS, message: 'Slow down.' });
      await expect(late.take(key)).rejects.toMatchObject(REFUSED);
    } finally {
      await early.query('rollback');
      early.release();
    }
  });

  it('say when the window ends', async () => {
    const key = newKey();
    await limiter(1).take(key);
    const refused: unknown = await limiter(1)
      .take(key)
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    if (!(refused instanceof AppError)) throw new Error('it was not refused');
    expect(refused.retryAfterSeconds).toBeGreaterThan(30);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('count each key and each limit alone, whatever a key holds', async () => {
    const hostile = `${newKey()} ' ; drop table accounts -- \u0000 ${'x'.repeat(100_000)}`;
    await limiter(1).take(hostile);
    await limiter(1).take(newKey());
    await limiter(1, 'another').take(hostile);
    await expect(limiter(1).take(hostile)).rejects.toMatchObject(REFUSED);
  });

  it('take back what did not count', async () => {
    const key = newKey();
    const limits = limiter(2);
    await limits.take(key);
    await limits.take(key);
    await limits.giveBack(key);
    await limits.take(key);
    await expect(limits.take(key)).rejects.toMatchObject(REFUSED);
  });

  it('begin anew when the window is over, and when the clock was set back since', async () => {
    const key = newKey();
    const limits = limiter(1);
    await limits.take(key);
    await moveWindows('-61 seconds');
    await limits.take(key);
    await moveWindows('1 hour');
    await limits.take(key);
    await expect(limits.take(key)).rejects.toMatchObject(REFUSED);
  });

  it.each([-3_600_000, 3_600_000])(
    'count by the clock of the database, also at a server whose own is %p ms off',
    async (off) => {
      const key = newKey();
      const limits = limiter(3);
      await limits.take(key);
      jest.useFakeTimers({ now: Date.now() + off, doNotFake: [...ALL_BUT_THE_DATE] });
      try {
        await limits.take(key);
        await limits.giveBack(key);
        await limits.take(key);
      } finally {
        jest.useRealTimers();
      }
      await limits.take(key);
      const refused: unknown = await limits.take(key).catch((error: unknown) => error);
      expect(refused).toMatchObject(REFUSED);
      expect(refused instanceof AppError && refused.retryAfterSeconds).toBeLessThanOrEqual(60);
    },
  );

  it('leave no rows of windows that are over', async () => {
    await limiter(1).take(newKey());
    await moveWindows('-2 hours');
    await database.pool.query(SWEEP_RATE_LIMITS);
    expect((await database.pool.query('select from rate_limit_windows')).rowCount).toBe(0);
  });
});
