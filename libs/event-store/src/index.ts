export * from './port.js';
export { MemoryEventStore } from './memory/memory-event-store.js';
export { PostgresEventStore, type PostgresEventStoreOptions } from './postgres/postgres-event-store.js';
export { isTransient as isTransientInPostgres } from './postgres/postgres-errors.js';
export { watchConnection } from './postgres/watch-connection.js';
export { postgresEventStoreMigrations } from './postgres/migrations.js';
export { SHAPE_FIELD, upcast, type Upcaster, Upcasters } from './upcasters.js';
export { EventStoreDbEventStore, type EventStoreDbOptions } from './eventstoredb/eventstoredb-event-store.js';
export { openEventStore, type OpenEventStoreOptions } from './open-event-store.js';
