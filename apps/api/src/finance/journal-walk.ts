import { LEDGER_STREAM, type LedgerEvent } from '@app/domain';
import type { EventStore, RecordedEvent } from '@app/event-store';
import { checkLink, EMPTY_HEAD, journalEventOf, type JournalHead } from '@app/ledger';

/** One event of the journal, its link in the hash chain checked. */
export interface WalkedEvent {
  readonly recorded: RecordedEvent;
  readonly event: LedgerEvent;
  readonly head: JournalHead;
}

export interface WalkOptions {
  /** Stop before the first event after this journal time (milliseconds since 1970). */
  readonly until?: number | undefined;
  /** Told now and then how many events were read, and how many there were when the walk began. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Reads the journal from its first event to where it ends when the walk begins: what is written meanwhile is not waited for.
 * @throws BrokenChain an event is not what its hash says
 */
export async function* walkJournal(store: EventStore, { until, onProgress }: WalkOptions): AsyncGenerator<WalkedEvent> {
  const last = await store.head(LEDGER_STREAM);
  const total = (last?.revision ?? -1) + 1;
  let head = EMPTY_HEAD;
  for await (const batch of store.readStream(LEDGER_STREAM, { limit: total })) {
    for (const recorded of batch) {
      head = { revision: recorded.revision, hash: checkLink(recorded, head) };
      const { event } = journalEventOf(recorded);
      if (until !== undefined && event.at > until) return onProgress?.(total, total);
      yield { recorded, event, head };
    }
    onProgress?.(head.revision + 1, total);
  }
}
