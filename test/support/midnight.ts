import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;
/** Longer than the tests that need it take. */
const NEEDED_MS = 30_000;

/** Waits for the next day (UTC) if little is left of this one: for tests that count by day. */
export async function awayFromMidnight(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < NEEDED_MS) await sleep(left + 1_000);
}
