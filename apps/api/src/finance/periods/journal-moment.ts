import { LEDGER_STREAM, type LedgerEvent } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { journalEventOf } from '@app/ledger';

type Reader = Pick<EventStore, 'readStream' | 'head'>;

/** The last revision whose event is dated at a moment or before it, −1 where none is: times never fall as revisions rise. */
export async function lastRevisionAt(store: Reader, moment: number, from = 0): Promise<number> {
  const head = await store.head(LEDGER_STREAM);
  let [low, high] = [from - 1, head?.revision ?? -1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const event = await journalEventAt(store, middle);
    if (event && event.at <= moment) low = middle;
    else high = middle - 1;
  }
  return low;
}

export async function journalEventAt(store: Reader, revision: number): Promise<LedgerEvent | undefined> {
  for await (const [recorded] of store.readStream(LEDGER_STREAM, { from: revision, limit: 1 })) {
    return recorded && journalEventOf(recorded).event;
  }
  return undefined;
}
