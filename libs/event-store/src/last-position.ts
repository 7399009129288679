import type { EventStore } from './port.js';

/** The position of the last event of all, or of any of the streams with these prefixes; undefined where there is none. */
export async function lastPosition(
  store: Pick<EventStore, 'readAll'>,
  streamPrefixes?: readonly string[],
): Promise<bigint | undefined> {
  const last = store.readAll({ direction: 'backwards', limit: 1, ...(streamPrefixes && { streamPrefixes }) });
  for await (const [event] of last) return event?.position;
  return undefined;
}
