import { LEDGER_STREAM, type LedgerEvent, type PeriodSealed } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { checkLink, EMPTY_HEAD, journalEventOf, type JournalHead } from '@app/ledger';

export interface PeriodEvent {
  readonly event: LedgerEvent;
  readonly head: JournalHead;
}

/** Where the chain stands before a period. */
export const headAfter = (period: PeriodSealed | undefined): JournalHead =>
  period ? { revision: period.lastRevision, hash: period.chainHash } : EMPTY_HEAD;

/**
 * The events behind a head up to a revision, every link of the chain checked.
 * @throws BrokenChain the journal does not follow from that head
 */
export async function* walkFrom(
  store: Pick<EventStore, 'readStream'>,
  from: JournalHead,
  lastRevision: number,
): AsyncGenerator<PeriodEvent> {
  let head = from;
  const limit = lastRevision - from.revision;
  for await (const batch of store.readStream(LEDGER_STREAM, { from: from.revision + 1, limit })) {
    for (const recorded of batch) {
      head = { revision: recorded.revision, hash: checkLink(recorded, head) };
      yield { event: journalEventOf(recorded).event, head };
    }
  }
}
