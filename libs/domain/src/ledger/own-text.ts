/**
 * The same text in memory of its own. A text that was cut out of a longer one keeps all of that alive: whatever the state
 * keeps of an event would keep the event's whole data.
 */
export const ownText = <T extends string>(text: T): T => ` ${text}`.slice(1) as T;
