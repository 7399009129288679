import type { EventStore } from '@app/event-store';
import { verify } from '../../apps/api/src/finance/verify.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import type { TestApi } from './api.js';
import type { TestDatabase } from './postgres.js';

/** What `verify` says is wrong with a journal and what a database made of it. */
export async function breachesIn(store: EventStore, { pool, url }: TestDatabase): Promise<string[]> {
  const found: string[] = [];
  for await (const { breaches } of verify({ store, pool, connectionString: url })) found.push(...breaches);
  return found;
}

/** What `verify` says is wrong with a server's books. */
export const breachesOf = ({ nova, database }: TestApi): Promise<string[]> =>
  breachesIn(nova.app.get<Journal>(JOURNAL).store, database);
