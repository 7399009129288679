import { LEDGER_STREAM } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { type RangeMark, readEnvelope } from '../envelope.js';
import { BrokenChain } from '../hash-chain.js';
import { checkLink, headAt, StoreJournal } from '../journal-reader.js';
import { RANGE_EVENTS_MAX } from './range.js';
import { ForgedEvent, UNSIGNED } from './range-reader.js';
import { type JournalTrust, signingAfter } from './trust.js';

/** What is known about an event's signature. */
export type EventSignature =
  /** Nothing says who should have signed the journal. */
  | { readonly status: 'unsigned' }
  /** The event is older than the first signature. */
  | { readonly status: 'before'; readonly signedFrom: number }
  /** Checked, by whom we trust: the whole range, its links and its signature. */
  | ({ readonly status: 'signed' } & SignatureMark)
  /** By nobody whom we trust; `mark` is what stands there all the same. */
  | { readonly status: 'forged'; readonly reason: ForgedEvent; readonly mark?: SignatureMark | undefined };

/** A signature as the last event of its range carries it. */
export interface SignatureMark extends RangeMark {
  /** The range's last revision. */
  readonly last: number;
}

/** Who signed the ledger's event at a revision, which the store holds: its range is read and checked now. */
export async function signatureOf(
  store: Pick<EventStore, 'readStream'>,
  trust: JournalTrust | undefined,
  revision: number,
): Promise<EventSignature> {
  const signedFrom = trust?.[0]?.from;
  if (!trust || signedFrom === undefined) return { status: 'unsigned' };
  if (revision < signedFrom) return { status: 'before', signedFrom };
  const mark = await markOver(store, revision);
  if (!mark) return { status: 'forged', reason: ForgedEvent.at(revision, UNSIGNED) };
  try {
    await checkRange(store, trust, mark);
    return { status: 'signed', ...mark };
  } catch (error) {
    if (error instanceof ForgedEvent) return { status: 'forged', reason: error, mark };
    if (!(error instanceof BrokenChain)) throw error;
    return { status: 'forged', reason: new ForgedEvent(mark.first, error.message), mark };
  }
}

/** The signature whose range has an event in it, by its own account. */
async function markOver(store: Pick<EventStore, 'readStream'>, revision: number): Promise<SignatureMark | undefined> {
  for await (const batch of store.readStream(LEDGER_STREAM, { from: revision, limit: RANGE_EVENTS_MAX })) {
    for (const { revision: last, metadata } of batch) {
      const range = readEnvelope(metadata)?.range;
      if (range)
        return range.first <= revision && last - range.first < RANGE_EVENTS_MAX ? { ...range, last } : undefined;
    }
  }
  return undefined;
}

/** Links first: the reader of ranges says of a broken one only that its range has no end. @throws ForgedEvent, BrokenChain */
async function checkRange(
  store: Pick<EventStore, 'readStream'>,
  trust: JournalTrust,
  { first, last }: SignatureMark,
): Promise<void> {
  const before = await headAt(store, first - 1);
  let head = before;
  for await (const batch of store.readStream(LEDGER_STREAM, { from: first, limit: last - first + 1 })) {
    for (const event of batch) head = { revision: event.revision, hash: checkLink(event, head) };
  }
  const signing = signingAfter(trust, before.revision);
  // Read to its end: what is not signed throws.
  for await (const _ of new StoreJournal(store, { trust }).linked(before, { upTo: last, signing }));
}
