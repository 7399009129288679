import type { RecordedEvent } from '@app/event-store';
import { EMPTY_HEAD, hashOf, journalEventOf, type JournalHead, type LedgerEvents } from '@app/ledger';
import type { Pool } from 'pg';
import { lastRevisionAt } from './periods/journal-moment.js';

/** The journal as it was once an event was in it. */
export interface JournalMoment extends JournalHead {
  /** When that event happened, in milliseconds since 1970; undefined before the first one. */
  readonly at: number | undefined;
}

export const BEFORE_EVERYTHING: JournalMoment = { ...EMPTY_HEAD, at: undefined };

/** The moment after an event, or undefined where the journal has no such revision. */
export async function momentOf(ledger: LedgerEvents, revision: number): Promise<JournalMoment | undefined> {
  if (revision < 0) return BEFORE_EVERYTHING;
  const recorded = await ledger.at(revision);
  return recorded && toMoment(recorded);
}

/** The journal as it is. */
export async function lastMoment(ledger: LedgerEvents): Promise<JournalMoment> {
  const head = await ledger.head();
  return head ? toMoment(head) : BEFORE_EVERYTHING;
}

/** The time of the database's clock, which journal time is made of: milliseconds since 1970. */
export async function databaseTime(pool: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  return rows[0]?.ms ?? Date.now();
}

/** The journal as it was just before a time. */
export async function momentBefore(ledger: LedgerEvents, time: Date): Promise<JournalMoment> {
  const revision = await lastRevisionAt(ledger, time.getTime() - 1);
  const found = await momentOf(ledger, revision);
  if (!found) throw new Error(`the journal lacks revision ${revision}`);
  return found;
}

const toMoment = (recorded: RecordedEvent): JournalMoment => ({
  revision: recorded.revision,
  hash: hashOf(recorded.metadata),
  at: journalEventOf(recorded).event.at,
});
