import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;
/** Longer than what asks for it takes. */
const NEEDED_MS = 30_000;

/** Waits for the next day (UTC) where little is left of this one: for tests that count by the day. */
export async function awayFromMidnight(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < NEEDED_MS) await sleep(left + 1_000);
}
