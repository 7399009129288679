import { LEDGER_STREAM } from '@app/domain';
import { type EventStore, type RecordedEvent, StoreUnavailable } from '@app/event-store';
import { eventAt, ForeignJournal, type JournalHead } from './journal-reader.js';
import { ForgedEvent } from './signing/range-reader.js';
import { SignedStore } from './signing/signed-store.js';

/** The ledger's events one by one. */
export interface LedgerEvents {
  /** The last one. */
  head(): Promise<RecordedEvent | undefined>;
  at(revision: number): Promise<RecordedEvent | undefined>;
  /** So many at most, in their order. */
  read(from: number, limit: number): Promise<readonly RecordedEvent[]>;
  /** The same as it is stored, for whoever shows what nobody signed, or reads on to there by what checks it. */
  readonly asStored: LedgerEvents;
}

/** A process this far behind is starting: no page should read all of it. */
const UNVERIFIED_EVENTS_MAX = 20_000;

/** As stored, whoever wrote it. */
export class StoredLedger implements LedgerEvents {
  constructor(private readonly store: EventStore) {}

  get asStored(): LedgerEvents {
    return this;
  }

  head(): Promise<RecordedEvent | undefined> {
    return this.store.head(LEDGER_STREAM);
  }

  at(revision: number): Promise<RecordedEvent | undefined> {
    return revision < 0 ? Promise.resolve(undefined) : eventAt(this.store, revision);
  }

  async read(from: number, limit: number): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const batch of this.store.readStream(LEDGER_STREAM, { from, limit })) events.push(...batch);
    return events;
  }
}

/**
 * Past events, for answers: with a trust, the ledger's events as far as trusted keys signed them. What this process has
 * read and checked costs nothing; older events are checked on request.
 */
export class VerifiedLedger implements LedgerEvents {
  readonly asStored: LedgerEvents;

  constructor(
    private readonly store: EventStore,
    /** How far this process has checked the journal. */
    private readonly verified: () => JournalHead,
  ) {
    this.asStored = new StoredLedger(store);
  }

  /** @throws StoreUnavailable */
  async head(): Promise<RecordedEvent | undefined> {
    const last = await this.asStored.head();
    const end = last ? await this.signedUpTo(last.revision) : -1;
    return end === last?.revision ? last : await this.asStored.at(end);
  }

  /** @throws StoreUnavailable */
  async at(revision: number): Promise<RecordedEvent | undefined> {
    const event = await this.asStored.at(revision);
    return event && (await this.signedUpTo(revision)) >= revision ? event : undefined;
  }

  /** @throws StoreUnavailable */
  async read(from: number, limit: number): Promise<readonly RecordedEvent[]> {
    const events = await this.asStored.read(from, limit);
    const last = events.at(-1);
    const end = last ? await this.signedUpTo(last.revision) : -1;
    return events.filter(({ revision }) => revision <= end);
  }

  /** How far the journal is signed, at most up to a revision that it has. */
  private async signedUpTo(upTo: number): Promise<number> {
    const from = this.verified();
    if (!(this.store instanceof SignedStore) || upTo <= from.revision) return upTo;
    if (upTo - from.revision > UNVERIFIED_EVENTS_MAX) {
      throw new StoreUnavailable(`the journal is read here up to revision ${from.revision} so far`);
    }
    let end = from.revision;
    try {
      for await (const batch of this.store.linked(from, { upTo })) end = batch.at(-1)?.revision ?? end;
    } catch (error) {
      if (error instanceof ForeignJournal) throw new StoreUnavailable(error.message, { cause: error });
      if (!(error instanceof ForgedEvent)) throw error;
    }
    return end;
  }
}
