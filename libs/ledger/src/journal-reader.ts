import {
  LEDGER_STREAM,
  decodeLedgerEvent,
  evolve,
  type LedgerEvent,
  type LedgerState,
  unreadableAt,
} from '@app/domain';
import { upcast, type EventStore, type RecordedEvent } from '@app/event-store';
import { carriesHash, hashOf } from './envelope.js';
import { BrokenChain, GENESIS_HASH, chainHash, eventIdOf } from './hash-chain.js';
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
  event: readLedgerEvent(recorded),
});

/** @throws UnreadableEvent says at which revision */
export function readLedgerEvent({
  revision,
  type,
  data,
}: Pick<LinkedEvent, 'revision' | 'type' | 'data'>): LedgerEvent {
  try {
    return decodeLedgerEvent(type, upcast(type, data));
  } catch (error) {
    throw unreadableAt(`revision ${revision}`, error);
  }
}

/** An event whose link in the hash chain was checked. */
export interface LinkedEvent {
  readonly revision: number;
  readonly type: string;
  /** As it is stored, before upcasting. */
  readonly data: string;
  readonly hash: string;
}

/** Where the journal is read from, every link of its chain checked on the stored bytes. */
export interface JournalSource {
  /**
   * What follows a head, in batches, to the journal's end or up to a revision.
   * @throws ForeignJournal the store does not hold the head that we come from
   * @throws BrokenChain a link does not fit
   * @throws StoreUnavailable
   */
  linked(from: JournalHead, upTo?: number): AsyncIterable<readonly LinkedEvent[]>;
}

/** The journal as the store gives it, checked where it is used. */
export class StoreJournal implements JournalSource {
  constructor(private readonly store: Pick<EventStore, 'readStream'>) {}

  async *linked(from: JournalHead, upTo?: number): AsyncGenerator<readonly LinkedEvent[]> {
    const first = Math.max(from.revision, 0);
    let head = from.revision < 0 ? from : undefined;
    const range = { from: first, ...(upTo !== undefined && { limit: upTo - first + 1 }) };
    for await (const batch of this.store.readStream(LEDGER_STREAM, range)) {
      const events = head ? linksOf(batch, head) : linksOf(batch.slice(1), sameHead(batch[0], from));
      head = events.at(-1) ?? from;
      yield events;
    }
    if (!head) throw new ForeignJournal(`the journal ends before revision ${from.revision}`);
  }
}

/** What was read of the journal already, from a head's own event on. */
export const journalOf = (read: readonly RecordedEvent[]): JournalSource =>
  new StoreJournal({
    async *readStream() {
      yield read;
    },
  });

// Apart from the generator, which V8 does not optimise as well.
function linksOf(batch: readonly RecordedEvent[], from: JournalHead): LinkedEvent[] {
  let { hash } = from;
  let { revision } = from;
  return batch.map((recorded) => {
    hash = checkLink(recorded, { revision, hash });
    ({ revision } = recorded);
    return { revision, type: recorded.type, data: recorded.data, hash };
  });
}

function sameHead(recorded: RecordedEvent | undefined, head: JournalHead): JournalHead {
  if (recorded?.revision === head.revision && hashOf(recorded.metadata) === head.hash) return head;
  throw new ForeignJournal(`the journal holds another event at revision ${head.revision}`);
}

/** Told of each event while the state is still what it was before it. */
export type BeforeEvent = (state: LedgerState, event: LedgerEvent, revision: number) => void;

/**
 * Follows the journal from a head: what comes is upcast, decoded and evolved.
 * @throws ForeignJournal, BrokenChain and StoreUnavailable as the source does
 */
export async function followJournal(
  journal: JournalSource,
  state: LedgerState,
  from: JournalHead,
  onBatch?: (head: JournalHead, batch: readonly LinkedEvent[]) => void,
  beforeEvent?: BeforeEvent,
): Promise<JournalHead> {
  let head = from;
  for await (const batch of journal.linked(from)) {
    evolveAll(state, batch, beforeEvent);
    head = batch.at(-1) ?? head;
    onBatch?.({ revision: head.revision, hash: head.hash }, batch);
  }
  return { revision: head.revision, hash: head.hash };
}

function evolveAll(state: LedgerState, batch: readonly LinkedEvent[], beforeEvent: BeforeEvent | undefined): void {
  for (const linked of batch) {
    const { revision } = linked;
    const event = readLedgerEvent(linked);
    beforeEvent?.(state, event, revision);
    evolve(state, event, revision);
  }
}

/** The ledger's event at a revision, undefined where it has none there. */
export async function eventAt(
  store: Pick<EventStore, 'readStream'>,
  revision: number,
): Promise<RecordedEvent | undefined> {
  for await (const [recorded] of store.readStream(LEDGER_STREAM, { from: revision, limit: 1 })) {
    return recorded?.revision === revision ? recorded : undefined;
  }
  return undefined;
}

/** As `eventAt`, decoded. */
export async function journalEventAt(
  store: Pick<EventStore, 'readStream'>,
  revision: number,
): Promise<JournalEvent | undefined> {
  const recorded = await eventAt(store, revision);
  return recorded && journalEventOf(recorded);
}

/** Whether the journal has this very event at the head's revision. */
export async function holdsHead(store: EventStore, head: JournalHead): Promise<boolean> {
  const recorded = await eventAt(store, head.revision);
  return recorded !== undefined && hashOf(recorded.metadata) === head.hash;
}

/** The hash of an event, once it is sure that it follows the head. */
export function checkLink(recorded: RecordedEvent, head: JournalHead): string {
  const expected = chainHash(head.hash, recorded.revision, recorded.type, recorded.data);
  if (recorded.revision !== head.revision + 1) {
    throw new BrokenChain(`revision ${recorded.revision} follows ${head.revision}`);
  }
  if (!carriesHash(recorded.metadata, expected) || recorded.id !== eventIdOf(expected, recorded.revision)) {
    throw new BrokenChain(`the hash of revision ${recorded.revision} does not fit its bytes and what came before`);
  }
  return expected;
}
