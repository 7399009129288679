import { type AllStreamResolvedEvent, binaryEvent, type EventData, type ResolvedEvent } from '@eventstore/db-client';
import type { NewEvent, RecordedEvent } from '../port.js';

/** Positions of events read from one stream by servers before 22.6, which do not tell them. */
const UNKNOWN_POSITION = -1n;

/** As JSON; the client itself leaves an empty text out. */
const EMPTY_TEXT = new Uint8Array(Buffer.from('""'));

/**
 * Data is written as binary: the client would parse and print JSON anew, and bytes, which the hash chain covers, would not
 * come back as they were given. Metadata the client parses whatever it is; so it is written as one JSON string, which comes
 * back as the very text. Both together are the mark by which an event is known as ours (`hasMark`): an empty text has it too.
 */
export function toEventStoreDb(event: NewEvent): EventData {
  return binaryEvent({
    id: event.id,
    type: event.type,
    data: Buffer.from(event.data),
    metadata: event.metadata === '' ? EMPTY_TEXT : event.metadata,
  });
}

/** Undefined for events of the system, and links to events that are gone. */
export function fromEventStoreDb(resolved: ResolvedEvent | AllStreamResolvedEvent): RecordedEvent | undefined {
  const { event } = resolved;
  if (!event || event.streamId.startsWith('$') || event.type.startsWith('$')) return undefined;
  return {
    id: event.id,
    type: event.type,
    data: textOf(event.data),
    metadata: metadataOf(event.metadata),
    stream: event.streamId,
    revision: Number(event.revision),
    position: positionOf(resolved),
    ...(!hasMark(event) && { isForeign: true }),
  };
}

/** Other programs write metadata as an object or not at all, and most write their data as JSON. */
const hasMark = ({ isJson, metadata }: NonNullable<ResolvedEvent['event']>): boolean =>
  !isJson && typeof metadata === 'string';

/** What was written by other programs as JSON comes parsed; ours comes as the bytes that were written. */
function textOf(data: unknown): string {
  return data instanceof Uint8Array ? Buffer.from(data).toString('utf8') : JSON.stringify(data);
}

function metadataOf(metadata: unknown): string {
  if (metadata === undefined) return '';
  return typeof metadata === 'string' ? metadata : textOf(metadata);
}

export function positionOf(resolved: ResolvedEvent | AllStreamResolvedEvent): bigint {
  const commit = resolved.event?.position?.commit ?? resolved.commitPosition;
  if (commit === undefined) return UNKNOWN_POSITION;
  // −1 comes as the largest unsigned number.
  return BigInt.asIntN(64, commit);
}
