/** Provides the `EventStore` that the configuration asks for. */
export const EVENT_STORE = Symbol('EVENT_STORE');
/** Provides the `Journal`: event store and read models together. */
export const JOURNAL = Symbol('JOURNAL');
