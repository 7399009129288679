import { journalEventOf, type LedgerEvents } from '@app/ledger';

/** The last revision whose event is dated at a moment or before it, −1 where none is: times never fall as revisions rise. */
export async function lastRevisionAt(ledger: LedgerEvents, moment: number, from = 0): Promise<number> {
  const head = await ledger.head();
  let [low, high] = [from - 1, head?.revision ?? -1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const found = await ledger.at(middle);
    if (found && journalEventOf(found).event.at <= moment) low = middle;
    else high = middle - 1;
  }
  return low;
}
