import { setImmediate } from 'node:timers/promises';
import type { EventBatches, RecordedEvent } from '../port.js';

interface Extent {
  /** How many events at most; all when absent. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How many to ask for at first, and then each time. */
  readonly first: number;
  readonly most: number;
}

/** Asks for so many events after the last one of the batch before. */
type ReadBatch = (size: number, last: RecordedEvent | undefined) => Promise<RecordedEvent[]>;

/**
 * One batch after the other, until one is not full. Postgres reads on while a batch is looked at: the next question must be on
 * its way before that takes the thread. A reader that has seen enough leaves it unanswered.
 */
export async function* readAhead(read: ReadBatch, { limit = Infinity, signal, first, most }: Extent): EventBatches {
  let left = limit;
  let size = 0;
  const ask = (wanted: number, last?: RecordedEvent): Promise<RecordedEvent[]> | undefined => {
    size = Math.min(left, wanted);
    if (size <= 0 || signal?.aborted === true) return undefined;
    left -= size;
    return read(size, last);
  };
  let coming = ask(first);
  while (coming !== undefined) {
    const batch: readonly RecordedEvent[] = await coming;
    const last = batch.at(-1);
    if (last === undefined || signal?.aborted === true) return;
    coming = batch.length < size ? undefined : ask(most, last);
    if (coming !== undefined) {
      coming.catch(() => undefined);
      await setImmediate();
    }
    yield batch;
  }
}
