import { LEDGER_STREAM } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { journalEventAt } from '@app/ledger';

type Reader = Pick<EventStore, 'readStream' | 'head'>;

/** The last revision whose event is dated at a moment or before it, −1 where none is: times never fall as revisions rise. */
export async function lastRevisionAt(store: Reader, moment: number, from = 0): Promise<number> {
  const head = await store.head(LEDGER_STREAM);
  let [low, high] = [from - 1, head?.revision ?? -1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const found = await journalEventAt(store, middle);
    if (found && found.event.at <= moment) low = middle;
    else high = middle - 1;
  }
  return low;
}
