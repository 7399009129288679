import { LEDGER_STREAM, decodeLedgerEvent, evolve, type LedgerState } from '@app/domain';
import { upcast, type EventStore, type RecordedEvent } from '@app/event-store';
import { BrokenChain, GENESIS_HASH, chainHash, eventIdOf, hashOf, metadataOf } from './hash-chain.js';
import type { JournalEvent } from './writer-port.js';

/** Where a state stands in the journal. */
export interface JournalHead {
  readonly revision: number;
  readonly hash: string;
}

export const EMPTY_HEAD: JournalHead = { revision: -1, hash: GENESIS_HASH };

/** The stored journal is behind, or is not the one that this state was built from. */
export class ForeignJournal extends Error {
  override readonly name = 'ForeignJournal';
}

export const journalEventOf = (recorded: RecordedEvent): JournalEvent => ({
  id: recorded.id,
  revision: recorded.revision,
  event: decodeLedgerEvent(recorded.type, upcast(recorded.type, recorded.data)),
});

/**
 * Follows the journal from a head: checks every link of the chain on the stored bytes, then upcasts, decodes and evolves.
 * @throws ForeignJournal when the store does not hold the head that we come from
 * @throws BrokenChain when a link does not fit
 */
export async function followJournal(
  store: EventStore,
  state: LedgerState,
  from: JournalHead,
  onBatch?: (head: JournalHead) => void,
): Promise<JournalHead> {
  let head = from;
  let seen = from.revision < 0;
  for await (const batch of store.readStream(LEDGER_STREAM, { from: Math.max(from.revision, 0) })) {
    for (const recorded of batch) {
      if (!seen) {
        if (recorded.revision !== from.revision || hashOf(recorded.metadata) !== from.hash) {
          throw new ForeignJournal(`the journal holds another event at revision ${from.revision}`);
        }
        seen = true;
        continue;
      }
      head = { revision: recorded.revision, hash: checkLink(recorded, head) };
      evolve(state, journalEventOf(recorded).event, recorded.revision);
    }
    onBatch?.(head);
  }
  if (!seen) throw new ForeignJournal(`the journal ends before revision ${from.revision}`);
  return head;
}

/** Whether the journal has this very event at the head's revision. */
export async function holdsHead(store: EventStore, head: JournalHead): Promise<boolean> {
  for await (const [recorded] of store.readStream(LEDGER_STREAM, { from: head.revision, limit: 1 })) {
    return recorded !== undefined && recorded.revision === head.revision && hashOf(recorded.metadata) === head.hash;
  }
  return false;
}

/** The hash of an event, once it is sure that it follows the head. */
export function checkLink(recorded: RecordedEvent, head: JournalHead): string {
  const expected = chainHash(head.hash, recorded.revision, recorded.type, recorded.data);
  if (recorded.revision !== head.revision + 1) {
    throw new BrokenChain(`revision ${recorded.revision} follows ${head.revision}`);
  }
  if (recorded.metadata !== metadataOf(expected) || recorded.id !== eventIdOf(expected, recorded.revision)) {
    throw new BrokenChain(`the hash of revision ${recorded.revision} does not fit its bytes and what came before`);
  }
  return expected;
}
