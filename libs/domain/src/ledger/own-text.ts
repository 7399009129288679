/**
 * A copy of a text with its own memory. A substring keeps the whole original alive, so any part of an event that the
 * state keeps would keep the event's whole data.
 */
export const ownText = <T extends string>(text: T): T => ` ${text}`.slice(1) as T;
