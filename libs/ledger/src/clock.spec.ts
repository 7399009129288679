import type { Pool } from 'pg';
import { journalAhead, PostgresClock, timeSpan } from './clock.js';

const HOUR_MS = 3_600_000;
const START = 1_800_000_000_000;

/** A database with a controllable clock. */
class FakeDatabase {
  offsetMs = 0;
  isAway = false;
  latencyMs = 0;

  readonly query = (async () => {
    if (this.isAway) throw new Error('away');
    if (this.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, this.latencyMs));
    return { rows: [{ ms: String(START + performance.now() + this.offsetMs) }] };
  }) as unknown as Pool['query'];
}

const startClock = async (latencyMs = 0, offsetMs = 0) => {
  const database = new FakeDatabase();
  database.latencyMs = latencyMs;
  database.offsetMs = offsetMs;
  const machine = { offsetMs: 0 };
  const clock = new PostgresClock(database, () => START + performance.now() + machine.offsetMs);
  await clock.start();
  clock.stop();
  const check = () => (clock as unknown as { check(): Promise<void> }).check();
  return { database, machine, clock, check };
};

describe('the journal’s clock', () => {
  it.each([
    ['forwards', HOUR_MS],
    ['back', -HOUR_MS],
    ['forwards by years', 40 * 365 * 24 * HOUR_MS],
  ])('takes no commands when both clocks have jumped %s, until two measures agree', async (_, jumpMs) => {
    const { database, machine, clock, check } = await startClock();
    expect(clock.ready).toBe(true);
    const before = clock.now();
    database.offsetMs = machine.offsetMs = jumpMs;
    await check();
    expect(clock.ready).toBe(false);
    expect(clock.trouble).toBe('the clock is more than a second off');
    // What was decided already, or is being decided, is not dated by one measure.
    expect(Math.abs(clock.now() - before)).toBeLessThan(HOUR_MS / 2);
    await check();
    expect(clock.ready).toBe(true);
    expect(Math.abs(clock.now() - before - jumpMs)).toBeLessThan(HOUR_MS / 2);
  });

  it.each([
    [
      'forwards',
      30.5 * 24 * HOUR_MS,
      "the database's clock is 30 days ahead of this machine's: set the wrong one right",
    ],
    ['back', -2.5 * HOUR_MS, "the database's clock is 2 hours behind this machine's: set the wrong one right"],
  ])('never takes the time of a database whose clock alone has jumped %s', async (_, jumpMs, trouble) => {
    const { database, clock, check } = await startClock();
    const before = clock.now();
    database.offsetMs = jumpMs;
    for (let looks = 0; looks < 5; looks += 1) {
      await check();
      expect(clock.ready).toBe(false);
      expect(clock.trouble).toBe(trouble);
      expect(Math.abs(clock.now() - before)).toBeLessThan(HOUR_MS / 2);
    }
    database.offsetMs = 0;
    await check();
    await check();
    expect(clock.ready).toBe(true);
    expect(clock.trouble).toBeUndefined();
  });

  it('is not ready at a start beside a database of another time, and is once that was set right', async () => {
    const { database, clock, check } = await startClock(0, 30 * 24 * HOUR_MS);
    expect(clock.ready).toBe(false);
    database.offsetMs = 0;
    await check();
    expect(clock.ready).toBe(false);
    await check();
    expect(clock.ready).toBe(true);
    expect(Math.abs(clock.now() - START - performance.now())).toBeLessThan(1_000);
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
    expect(Math.abs(clock.now() - START - performance.now())).toBeLessThan(100);
    database.latencyMs = 600;
    await check();
    expect(Math.abs(clock.now() - START - performance.now())).toBeLessThan(100);
  });
});

test.each([
  [1_500, '1 second'],
  [-59_999, '59 seconds'],
  [119_999, '1 minute'],
  [26 * HOUR_MS, '1 day'],
  [30 * 24 * HOUR_MS, '30 days'],
  [0, '0 seconds'],
])('%i ms are %s', (ms, words) => {
  expect(timeSpan(ms)).toBe(words);
});

test('a journal is ahead by more than servers differ', () => {
  expect(journalAhead(START + 60_000, START)).toBeUndefined();
  expect(journalAhead(START + 2 * HOUR_MS, START)).toBe(
    'journal time is 2 hours ahead: every event is dated 2027-01-15T10:00:00.000Z until that has passed',
  );
});
