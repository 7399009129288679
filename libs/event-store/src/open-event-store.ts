import type pg from 'pg';
import { EventStoreDbEventStore } from './eventstoredb/eventstoredb-event-store.js';
import type { EventStore } from './port.js';
import type { ChannelListener } from './postgres/channel-listener.js';
import { PostgresEventStore } from './postgres/postgres-event-store.js';

/** Where the event store is, for a thread that opens it for itself. */
export interface StoreAddress {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string | undefined;
}

export type OpenEventStoreOptions = ({ readonly databaseUrl: string } | { readonly pool: pg.Pool }) & {
  /** `EVENTSTORE_URL`: with it events are kept in EventStoreDB or KurrentDB, without it in Postgres. */
  readonly eventStoreUrl?: string | undefined;
  readonly appendTimeoutMs?: number;
  /** Where events are in Postgres, hears of appends; when absent, the store has a connection of its own for it. */
  readonly listener?: ChannelListener | undefined;
};

/**
 * Opens the configured event store. In Postgres, the owner of the schema `journal` updates it.
 * @throws StoreUnavailable the store cannot be reached
 * @throws StoreRefused its address, or the rights of the user that it names, are to be mended
 * @throws StoreOutdated in Postgres, the schema is another role's, and not up to date
 */
export async function openEventStore(options: OpenEventStoreOptions): Promise<EventStore> {
  const timeout = options.appendTimeoutMs === undefined ? {} : { appendTimeoutMs: options.appendTimeoutMs };
  if (options.eventStoreUrl)
    return EventStoreDbEventStore.open({ connectionString: options.eventStoreUrl, ...timeout });
  const { listener } = options;
  return 'pool' in options
    ? PostgresEventStore.open({ pool: options.pool, listener, ...timeout })
    : PostgresEventStore.open({ connectionString: options.databaseUrl, listener, ...timeout });
}
