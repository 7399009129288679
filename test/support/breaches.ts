import type { EventStore } from '@app/event-store';
import { verify } from '../../apps/api/src/finance/verify.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import type { TestApi } from './api.js';
import type { TestDatabase } from './postgres.js';

/**
 * The faults that `verify` finds in a journal and in the database made from it. With `mayBeBehind` it does not count that
 * read models have not reached the journal's end: nothing feeds them once the server has stopped.
 */
export async function breachesIn(
  store: EventStore,
  { pool, url }: TestDatabase,
  { mayBeBehind = false } = {},
): Promise<string[]> {
  const found: string[] = [];
  for await (const { breaches, isBehind } of verify({ store, pool, connectionString: url })) {
    if (!(mayBeBehind && isBehind)) found.push(...breaches);
  }
  return found;
}

/** The faults that `verify` finds in a server's books. */
export const breachesOf = ({ nova, database }: TestApi): Promise<string[]> =>
  breachesIn(nova.app.get<Journal>(JOURNAL).store, database);
