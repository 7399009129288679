import { LEDGER_STREAM } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { READ_SCHEMA } from '@app/projections';
import type pg from 'pg';
import { Explained } from '../errors/explained.js';

/**
 * What the read models have followed must be in the journal. Where it is not, the journal is another one or an older copy:
 * members would be shown balances that the ledger does not know, and money would move in two journals at once.
 * @throws Explained the journal ends before that
 */
export async function requireOwnJournal(
  pool: pg.Pool,
  store: Pick<EventStore, 'head'>,
  eventStoreUrl: string | undefined,
): Promise<void> {
  // Asked first: others may append meanwhile.
  const { rows } = await pool.query<{ followed: number }>(
    `select coalesce(max(revision), -1)::float8 as followed from ${READ_SCHEMA}.checkpoint`,
  );
  const followed = rows[0]?.followed ?? -1;
  const last = (await store.head(LEDGER_STREAM))?.revision ?? -1;
  if (followed <= last) return;
  const where = eventStoreUrl ? 'where EVENTSTORE_URL points' : 'in Postgres, where it is without EVENTSTORE_URL,';
  throw new Explained(
    `The journal ${where} ${last < 0 ? 'has no event' : `ends with revision ${last}`}, but this installation's reaches ` +
      `revision ${followed} at least. Set EVENTSTORE_URL as it was, or restore Postgres and the journal together.`,
  );
}
