import { LEDGER_STREAM, type LedgerEvent } from '@app/domain';
import type { EventStore, RecordedEvent } from '@app/event-store';
import { EMPTY_HEAD, eventIdOf, type JournalHead, journalIn, readLedgerEvent } from '@app/ledger';

/** One event of the journal, its link in the hash chain checked, and who signed it where the store was told whom to trust. */
export interface WalkedEvent {
  readonly recorded: Omit<RecordedEvent, 'stream' | 'position'>;
  readonly event: LedgerEvent;
  readonly head: JournalHead;
}

export interface WalkOptions {
  /** Begin after this event; by default with the first one. */
  readonly after?: JournalHead | undefined;
  /** The last revision to read; by default the one that is the last when the walk begins. */
  readonly upTo?: number | undefined;
  /** Told now and then how many events were read, and how many there are to read. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Reads the journal from an event to where it ends when the walk begins: what is written meanwhile is not waited for.
 * @throws BrokenChain an event is not what its hash says
 * @throws ForeignJournal it is not the event that the walk begins after
 * @throws ForgedEvent the journal goes on with what nobody signed; all before it was told
 */
export async function* walkJournal(
  store: EventStore,
  { after = EMPTY_HEAD, upTo, onProgress }: WalkOptions,
): AsyncGenerator<WalkedEvent> {
  const last = upTo ?? (await store.head(LEDGER_STREAM))?.revision ?? -1;
  const first = after.revision + 1;
  const total = last - after.revision;
  if (total <= 0) return;
  for await (const batch of journalIn(store).linked(after, { upTo: last })) {
    for (const linked of batch) {
      const { revision, hash, type, data, metadata } = linked;
      const recorded = { revision, id: eventIdOf(hash, revision), type, data, metadata };
      yield { recorded, event: readLedgerEvent(linked), head: { revision, hash } };
    }
    const done = batch.at(-1)?.revision;
    if (done !== undefined) onProgress?.(done + 1 - first, total);
  }
}
