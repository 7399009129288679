import { beginsSigning, evolve, LEDGER_STREAM, type LedgerEvent, type LedgerState, type Signing } from '@app/domain';
import { type EventStore, type RecordedEvent } from '@app/event-store';
import { carriesHash, hashOf, readEnvelope } from './envelope.js';
import { BrokenChain, GENESIS_HASH, chainHash, eventIdOf } from './hash-chain.js';
import { type LinkedEvent, readLedgerEvent } from './linked-event.js';
import { RANGE_BYTES_MAX, RANGE_EVENTS_MAX } from './signing/range.js';
import { ForgedEvent, RangeReader, type ReadEvent } from './signing/range-reader.js';
import type { JournalTrust } from './signing/trust.js';
import type { JournalEvent } from './writer-port.js';

/** A state's position in the journal. */
export interface JournalHead {
  readonly revision: number;
  readonly hash: string;
}

export const EMPTY_HEAD: JournalHead = { revision: -1, hash: GENESIS_HASH };

/** The stored journal is behind, or another one than this state was built from. */
export class ForeignJournal extends Error {
  override readonly name = 'ForeignJournal';
}

/** The journal's last events are not a whole command: its end was cut off. */
export class TornJournal extends Error {
  override readonly name = 'TornJournal';
}

export const journalEventOf = (recorded: RecordedEvent): JournalEvent => ({
  id: recorded.id,
  revision: recorded.revision,
  event: readLedgerEvent(recorded),
});

export interface LinkedOptions {
  /** The last revision; when absent, to the journal's end. */
  readonly upTo?: number | undefined;
  /** Whose signatures hold at the head that we come from; undefined where nothing is signed yet. */
  readonly signing?: Signing | undefined;
}

/** A source of the journal that checks every link of the chain on the stored bytes, and the signatures. */
export interface JournalSource {
  /**
   * What follows a head, in batches. In a signed journal an event is told of once its whole range is there.
   * @throws ForeignJournal the store does not hold the head that we come from
   * @throws BrokenChain a link does not fit, where nothing is signed
   * @throws ForgedEvent what stands there is signed by nobody whom we trust; all before it was told
   * @throws StoreUnavailable
   */
  linked(from: JournalHead, options?: LinkedOptions): AsyncIterable<readonly LinkedEvent[]>;
}

/** As `JournalSource`, with the metadata as it is stored. */
export interface StoredJournal extends JournalSource {
  linked(from: JournalHead, options?: LinkedOptions): AsyncIterable<readonly ReadEvent[]>;
}

export interface StoreJournalOptions {
  /** Which signed journal is ours; when absent, whichever this one says that it is. */
  readonly trust?: JournalTrust | undefined;
  /** `ledger` when absent. */
  readonly stream?: string;
  /** Every signature is checked: without it the newest of what is read at once, which vouches for all before. */
  readonly isEverySignature?: boolean;
}

/** The journal as the store has it, checked where it is used. */
export class StoreJournal implements StoredJournal {
  constructor(
    private readonly store: Pick<EventStore, 'readStream'>,
    private readonly options: StoreJournalOptions = {},
  ) {}

  async *linked(from: JournalHead, { upTo, signing }: LinkedOptions = {}): AsyncGenerator<readonly ReadEvent[]> {
    const first = Math.max(from.revision, 0);
    let reader: RangeReader | undefined;
    let head = from;
    const range = { from: first, ...(upTo !== undefined && { limit: upTo - first + 1 }) };
    for await (const batch of this.store.readStream(this.options.stream ?? LEDGER_STREAM, range)) {
      let fresh = batch;
      if (from.revision >= 0 && !reader) {
        head = sameHead(batch[0], from);
        fresh = batch.slice(1);
      }
      reader ??= new RangeReader({ ...this.options, signing, begun: await rangeBegun(this.store, batch[0], signing) });
      const read = linksOf(fresh, head, reader);
      head = read.at(-1) ?? head;
      yield reader.take(read);
      reader.throwIfForged();
    }
    if (!reader && from.revision >= 0) {
      throw new ForeignJournal(`the journal ends before revision ${from.revision}`);
    }
    if (upTo !== undefined && reader?.isInside) yield* this.restOfRange(reader, head, upTo);
    else reader?.end();
  }

  /** What the last range has up to a revision: it is known to be signed once its end was read. */
  private async *restOfRange(
    reader: RangeReader,
    from: JournalHead,
    upTo: number,
  ): AsyncGenerator<readonly ReadEvent[]> {
    let head = from;
    const range = { from: head.revision + 1, limit: RANGE_EVENTS_MAX };
    for await (const batch of this.store.readStream(LEDGER_STREAM, range)) {
      const read = linksOf(batch, head, reader);
      head = read.at(-1) ?? head;
      const whole = reader.take(read);
      yield whole.filter(({ revision }) => revision <= upTo);
      if ((whole.at(-1)?.revision ?? -1) >= upTo) return;
    }
    reader.end();
  }
}

/** The metadata of the range that a head stands in, up to the head: none where it ends one. */
export async function rangeBegun(
  store: Pick<EventStore, 'readStream'>,
  head: RecordedEvent | undefined,
  signing: Signing | undefined,
): Promise<readonly string[]> {
  if (!head || !signing || head.revision < signing.since || readEnvelope(head.metadata)?.range) return [];
  const lines: string[] = [];
  let bytes = 0;
  const before = { from: head.revision, direction: 'backwards', limit: RANGE_EVENTS_MAX } as const;
  for await (const batch of store.readStream(LEDGER_STREAM, before)) {
    for (const { revision, metadata } of batch) {
      const isBefore = revision < signing.since || readEnvelope(metadata)?.range !== undefined;
      bytes += metadata.length;
      if (isBefore || bytes > RANGE_BYTES_MAX) return lines.toReversed();
      lines.push(metadata);
    }
  }
  return lines.toReversed();
}

/** What was read of the journal already, from a head's own event on. */
export const journalOf = (read: readonly RecordedEvent[], options: StoreJournalOptions): JournalSource =>
  new StoreJournal(
    {
      async *readStream() {
        yield read;
      },
    },
    options,
  );

/** In a signed journal a broken link is a forgery: events before it are still passed on. */
// Apart from the generator, which V8 does not optimise as well.
export function linksOf(batch: readonly RecordedEvent[], from: JournalHead, reader: RangeReader): ReadEvent[] {
  const events: ReadEvent[] = [];
  let { hash } = from;
  let { revision } = from;
  for (const recorded of batch) {
    try {
      hash = checkLink(recorded, { revision, hash });
    } catch (error) {
      const isSigned = reader.isSigned || events.some(({ type }) => beginsSigning(type));
      if (!(error instanceof BrokenChain) || !isSigned) throw error;
      reader.fail(ForgedEvent.at(revision + 1, `is none of ours: ${error.message}`));
      return events;
    }
    ({ revision } = recorded);
    events.push({ revision, type: recorded.type, data: recorded.data, hash, metadata: recorded.metadata });
  }
  return events;
}

function sameHead(recorded: RecordedEvent | undefined, head: JournalHead): JournalHead {
  if (recorded?.revision === head.revision && hashOf(recorded.metadata) === head.hash) return head;
  throw new ForeignJournal(`the journal holds another event at revision ${head.revision}`);
}

/** Called for each event, with the state before it. */
export type BeforeEvent = (state: LedgerState, event: LedgerEvent, link: LinkedEvent) => void;

/**
 * Follows the journal from a head: what comes is upcast, decoded and evolved, each command as a whole.
 * @throws TornJournal it ends inside a command, of which nothing was evolved
 * @throws ForeignJournal, BrokenChain and StoreUnavailable as the source does
 */
export async function followJournal(
  journal: JournalSource,
  state: LedgerState,
  from: JournalHead,
  onBatch?: (head: JournalHead) => void,
  beforeEvent?: BeforeEvent,
): Promise<JournalHead> {
  let head = from;
  const open: OpenCommand = [];
  for await (const batch of journal.linked(from, { signing: state.signing })) {
    const last = evolveAll(state, batch, open, beforeEvent) ?? head;
    head = { revision: last.revision, hash: last.hash };
    onBatch?.(head);
  }
  const [begun] = open;
  if (begun) throw new TornJournal(`the journal ends inside the command that begins at revision ${begun[0].revision}`);
  return head;
}

/** The first events of a command whose last one is still to come. */
type OpenCommand = [LinkedEvent, LedgerEvent][];

/** @returns the last event that was evolved */
function evolveAll(
  state: LedgerState,
  batch: readonly LinkedEvent[],
  open: OpenCommand,
  beforeEvent: BeforeEvent | undefined,
): LinkedEvent | undefined {
  let last: LinkedEvent | undefined;
  const evolveOne = (linked: LinkedEvent, event: LedgerEvent): void => {
    beforeEvent?.(state, event, linked);
    evolve(state, event, linked.revision);
    last = linked;
  };
  for (const linked of batch) {
    const event = readLedgerEvent(linked);
    const { part } = event;
    if (part && part[0] + 1 < part[1]) {
      open.push([linked, event]);
      continue;
    }
    if (open.length > 0) for (const begun of open.splice(0)) evolveOne(...begun);
    evolveOne(linked, event);
  }
  return last;
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

/** The head that an event of the journal leaves; before the first one where there is none. */
export async function headAt(store: Pick<EventStore, 'readStream'>, revision: number): Promise<JournalHead> {
  const recorded = revision < 0 ? undefined : await eventAt(store, revision);
  return recorded ? { revision, hash: hashOf(recorded.metadata) } : EMPTY_HEAD;
}

/** As `eventAt`, decoded. */
export async function journalEventAt(
  store: Pick<EventStore, 'readStream'>,
  revision: number,
): Promise<JournalEvent | undefined> {
  const recorded = await eventAt(store, revision);
  return recorded && journalEventOf(recorded);
}

/** Whether the journal has exactly this event at the head's revision. */
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
