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
  /** Begin after this event, whose hash is taken as it is; by default with the first one. */
  readonly after?: JournalHead | undefined;
  /** The last revision to read; by default the one that is the last when the walk begins. */
  readonly upTo?: number | undefined;
  /** Told now and then how many events were read, and how many there are to read. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Reads the journal from an event to where it ends when the walk begins: what is written meanwhile is not waited for.
 * @throws BrokenChain an event is not what its hash says
 */
export async function* walkJournal(
  store: EventStore,
  { after = EMPTY_HEAD, upTo, onProgress }: WalkOptions,
): AsyncGenerator<WalkedEvent> {
  const last = upTo ?? (await store.head(LEDGER_STREAM))?.revision ?? -1;
  const first = after.revision + 1;
  const total = last - after.revision;
  if (total <= 0) return;
  let head = after;
  for await (const batch of store.readStream(LEDGER_STREAM, { from: first, limit: total })) {
    for (const recorded of batch) {
      head = { revision: recorded.revision, hash: checkLink(recorded, head) };
      yield { recorded, event: journalEventOf(recorded).event, head };
    }
    onProgress?.(head.revision + 1 - first, total);
  }
}
