import { setTimeout as pause } from 'node:timers/promises';
import type { FactOf, Stamp } from '@app/domain';
import { factKeyHash, type JournalEvent, journalEventOf, type LedgerEvents, revisionOfEventId } from '@app/ledger';
import { EntryQueries, KeyIndexQueries } from '@app/projections';
import type pg from 'pg';
import { behind } from '../../finance/books.js';
import { lastMoment, momentBefore } from '../../finance/moments.js';

/** An event of the journal that must be in the provider's books. */
export interface LedgerLine {
  readonly id: string;
  readonly revision: number;
  readonly event: FactOf<'NovaPurchased' | 'PurchaseReversed'> & Stamp;
}

const READ = ['ledger_entries', 'key_index'] as const;
/** Read models that lag behind would look like a difference. */
const CATCH_UP_MS_MAX = 10_000;
const LOOK_MS = 20;

/** Reads the payments' events from the journal. */
export class LedgerLines {
  private readonly keys: KeyIndexQueries;
  private readonly entries: EntryQueries;

  constructor(
    private readonly ledger: LedgerEvents,
    pool: pg.Pool,
  ) {
    this.keys = new KeyIndexQueries(pool);
    this.entries = new EntryQueries(pool);
  }

  /**
   * Waits until everything that is in the journal now can be found here.
   * @throws AppError 503 `BOOKS_BEHIND` the read models do not catch up in time
   */
  async caughtUp(): Promise<void> {
    const { revision } = await lastMoment(this.ledger);
    const deadline = performance.now() + CATCH_UP_MS_MAX;
    while (((await this.entries.reached(READ)) ?? -1) < revision) {
      if (performance.now() > deadline) throw behind();
      await pause(LOOK_MS);
    }
  }

  /** The event that took effect under a key from a fact (rule ledger-27), or undefined. */
  async underKey(value: string): Promise<Pick<JournalEvent, 'id' | 'event'> | undefined> {
    const hash = factKeyHash(value);
    const found = (await this.keys.find([hash])).found.get(hash);
    return found && this.journalEvent(found.revision);
  }

  /** Purchases and their reversals in a range of time: everything that moved `external:stripe`. */
  async *between(from: Date, until: Date): AsyncGenerator<LedgerLine> {
    const first = (await momentBefore(this.ledger, from)).revision + 1;
    const { revision: last } = await momentBefore(this.ledger, until);
    if (last < first) return;
    const account = { kind: 'external:stripe', owner: '' } as const;
    for await (const entries of this.entries.stream([account], { first, last })) {
      for (const { revision } of entries) {
        const found = await this.journalEvent(revision);
        if (found?.event.type !== 'NovaPurchased' && found?.event.type !== 'PurchaseReversed') continue;
        yield { id: found.id, revision, event: found.event };
      }
    }
  }

  /** The event with this id, if it belongs to a payment. */
  async byId(id: string): Promise<LedgerLine | undefined> {
    const revision = revisionOfEventId(id);
    const found = revision === undefined ? undefined : await this.journalEvent(revision);
    if (revision === undefined || found?.id !== id) return undefined;
    const { event } = found;
    return event.type === 'NovaPurchased' || event.type === 'PurchaseReversed' ? { id, revision, event } : undefined;
  }

  private async journalEvent(revision: number): Promise<JournalEvent | undefined> {
    const recorded = await this.ledger.at(revision);
    return recorded && journalEventOf(recorded);
  }
}
