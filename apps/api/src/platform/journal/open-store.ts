import {
  type EventStore,
  openEventStore,
  type OpenEventStoreOptions,
  StoreRefused,
  StoreUnavailable,
} from '@app/event-store';
import { Explained } from '../errors/explained.js';

/** The event store of the configuration. @throws Explained the one of `EVENTSTORE_URL` does not answer, or refuses */
export async function openStore(options: OpenEventStoreOptions): Promise<EventStore> {
  try {
    return await openEventStore(options);
  } catch (cause) {
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
