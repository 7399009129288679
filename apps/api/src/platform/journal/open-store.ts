import {
  type EventStore,
  openEventStore,
  type OpenEventStoreOptions,
  StoreOutdated,
  StoreRefused,
  StoreUnavailable,
} from '@app/event-store';
import { Explained } from '../errors/explained.js';

const WHERE = 'with DATABASE_OWNER_URL first: docs/postgres.md (A role that owns the journal)';

/**
 * The event store of the configuration.
 * @throws Explained the one of `EVENTSTORE_URL` does not answer, or refuses; the journal in Postgres is to be brought up to date
 */
export async function openStore(options: OpenEventStoreOptions): Promise<EventStore> {
  try {
    return await openEventStore(options);
  } catch (cause) {
    if (cause instanceof StoreOutdated) {
      const message = `The journal in Postgres is not up to date: ${cause.message}. Run \`npm run -s ledger -- prepare\` ${WHERE}.`;
      throw new Explained(message, { cause });
    }
    if (!(cause instanceof StoreUnavailable) || !options.eventStoreUrl) throw cause;
    if (cause instanceof StoreRefused) throw refused(cause);
    throw new Explained(`The event store that EVENTSTORE_URL names does not answer: ${cause.message}`, { cause });
  }
}

const refused = (cause: StoreRefused): Explained =>
  new Explained(`The event store that EVENTSTORE_URL names cannot be used: ${cause.message}.`, { cause });

/** The sentence about an event store that refused what a start asked of it; undefined where another thing failed. */
export function explainRefusal(error: unknown): Explained | undefined {
  for (let cause = error; cause instanceof Error; { cause } = cause) {
    if (cause instanceof StoreRefused) return refused(cause);
  }
  return undefined;
}
