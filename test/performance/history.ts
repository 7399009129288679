import type { EventStore } from '@app/event-store';
import { callsPerSecond, fund, memberIds, openWriter, pairsOf, sendGift } from './gifts.js';

/** Members who send each other random gifts. */
export interface History {
  readonly accounts: number;
  readonly events: number;
}

const CALLERS = 1_500;
const FILL_SECONDS = 5;

export type Log = (line: string) => void;

export async function fill(store: EventStore, { accounts, events }: History, log: Log): Promise<void> {
  const writer = await openWriter(store);
  const ids = memberIds(accounts);
  const pair = pairsOf(ids);
  await fund(writer, ids);
  while (writer.revision < events) {
    log(`  ${writer.revision + 1} of ${events} events`);
    await callsPerSecond(CALLERS, FILL_SECONDS, () => sendGift(writer, pair));
  }
  await writer.stop();
}

/** The seconds that the work took, and its result. */
export async function timed<T>(work: () => T | Promise<T>): Promise<[seconds: number, outcome: T]> {
  const began = performance.now();
  const outcome = await work();
  return [(performance.now() - began) / 1_000, outcome];
}
