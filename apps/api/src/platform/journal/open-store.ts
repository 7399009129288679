import { type EventStore, openEventStore, type OpenEventStoreOptions, StoreUnavailable } from '@app/event-store';
import { Explained } from '../errors/explained.js';

/** The event store of the configuration. @throws Explained the one of `EVENTSTORE_URL` does not answer */
export async function openStore(options: OpenEventStoreOptions): Promise<EventStore> {
  try {
    return await openEventStore(options);
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable) || !options.eventStoreUrl) throw cause;
    throw new Explained(`The event store that EVENTSTORE_URL names does not answer: ${cause.message}`, { cause });
  }
}
