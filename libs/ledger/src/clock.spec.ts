import type { Pool } from 'pg';
import { PostgresClock } from './clock.js';

const HOUR_MS = 3_600_000;

/** A database whose clock does as it is told. */
class FakeDatabase {
  offsetMs = 0;
  isAway = false;
  latencyMs = 0;

  readonly query = (async () => {
    if (this.isAway) throw new Error('away');
    if (this.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, this.latencyMs));
    return { rows: [{ ms: String(1_800_000_000_000 + performance.now() + this.offsetMs) }] };
  }) as unknown as Pool['query'];
}

const startClock = async (latencyMs = 0) => {
  const database = new FakeDatabase();
  database.latencyMs = latencyMs;
  const clock = new PostgresClock(database);
  await clock.start();
  clock.stop();
  const check = () => (clock as unknown as { check(): Promise<void> }).check();
  return { database, clock, check };
};

describe('the journal’s clock', () => {
  it.each([
    ['forwards', HOUR_MS],
    ['back', -HOUR_MS],
    ['forwards by years', 40 * 365 * 24 * HOUR_MS],
  ])('takes no commands when the database’s clock jumps %s, until two measures agree', async (_, jumpMs) => {
    const { database, clock, check } = await startClock();
    expect(clock.ready).toBe(true);
    const before = clock.now();
    database.offsetMs = jumpMs;
    await check();
    expect(clock.ready).toBe(false);
    await check();
    expect(clock.ready).toBe(true);
    expect(Math.abs(clock.now() - before - jumpMs)).toBeLessThan(HOUR_MS / 2);
  });

  it('takes no commands while the clock jumps to and fro', async () => {
    const { database, clock, check } = await startClock();
    for (let jumps = 1; jumps <= 5; jumps += 1) {
      database.offsetMs = jumps % 2 ? 5_000 : 0;
      await check();
      expect(clock.ready).toBe(false);
    }
  });

  it('goes on by itself while the database is away, and puts up with a small difference', async () => {
    const { database, clock, check } = await startClock();
    database.isAway = true;
    await expect(check()).rejects.toThrow('away');
    expect(clock.ready).toBe(true);
    database.isAway = false;
    database.offsetMs = 500;
    await check();
    expect(clock.ready).toBe(true);
  });

  it('does not take a slow answer for another time', async () => {
    const { database, clock, check } = await startClock();
    database.latencyMs = 300;
    await check();
    expect(clock.ready).toBe(true);
  });

  it('takes the sharper of two measures: the first one, which connects as well, may be far off', async () => {
    const { database, clock, check } = await startClock(600);
    database.latencyMs = 0;
    await check();
    expect(Math.abs(clock.now() - 1_800_000_000_000 - performance.now())).toBeLessThan(100);
    database.latencyMs = 600;
    await check();
    expect(Math.abs(clock.now() - 1_800_000_000_000 - performance.now())).toBeLessThan(100);
  });
});
