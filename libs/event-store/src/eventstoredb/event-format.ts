import {
  type AllStreamResolvedEvent,
  binaryEvent,
  type EventData,
  jsonEvent,
  type JSONType,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { METADATA_MARK, type NewEvent, type RecordedEvent } from '../port.js';

/** Positions of events read from one stream by servers before 22.6, which do not tell them. */
const UNKNOWN_POSITION = -1n;

/** As JSON; the client itself leaves an empty text out. */
const EMPTY_TEXT = new Uint8Array(Buffer.from('""'));

/**
 * The client prints and parses what is JSON, and bytes, which the hash chain covers, must come back as they were given. So
 * an event is written as JSON only where its metadata is of the second version, an object, and each text prints back to
 * itself. Every other data is written as octets; every other metadata as one JSON string, which comes back as the very text.
 * Either form of metadata is the mark by which an event is known as ours (`hasMark`): an empty text has it too.
 */
export function toEventStoreDb({ id, type, data, metadata }: NewEvent): EventData {
  if (!metadata.startsWith(METADATA_MARK) || parsed(metadata) === undefined) {
    const text = metadata === '' ? EMPTY_TEXT : metadata;
    return binaryEvent({ id, type, data: Buffer.from(data), metadata: text });
  }
  // The client sends these bytes unchanged; a Buffer it would print as JSON.
  const bytes = new Uint8Array(Buffer.from(metadata));
  const json = parsed(data);
  if (json === undefined) return binaryEvent({ id, type, data: Buffer.from(data), metadata: bytes });
  return jsonEvent({ id, type, data: json, metadata: bytes });
}

/** Undefined for text that does not print back to itself. */
function parsed(text: string): JSONType | undefined {
  try {
    const value = JSON.parse(text) as JSONType;
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined for events of the system, and links to events that are gone. */
export function fromEventStoreDb(resolved: ResolvedEvent | AllStreamResolvedEvent): RecordedEvent | undefined {
  const { event } = resolved;
  if (!event || event.streamId.startsWith('$') || event.type.startsWith('$')) return undefined;
  const metadata = metadataOf(event.metadata);
  return {
    id: event.id,
    type: event.type,
    data: textOf(event.data),
    metadata,
    stream: event.streamId,
    revision: Number(event.revision),
    position: positionOf(resolved),
    ...(!hasMark(event, metadata) && { isForeign: true }),
  };
}

/** Other programs write metadata as an object without our field or not at all, and most write their data as JSON. */
function hasMark({ isJson, metadata }: NonNullable<ResolvedEvent['event']>, text: string): boolean {
  if (typeof metadata === 'string') return !isJson;
  return !(metadata instanceof Uint8Array) && text.startsWith(METADATA_MARK);
}

/** JSON arrives parsed, everything else as the written bytes. */
function textOf(data: unknown): string {
  return data instanceof Uint8Array ? Buffer.from(data).toString('utf8') : JSON.stringify(data);
}

function metadataOf(metadata: unknown): string {
  if (metadata === undefined) return '';
  return typeof metadata === 'string' ? metadata : textOf(metadata);
}

function positionOf(resolved: ResolvedEvent | AllStreamResolvedEvent): bigint {
  const commit = resolved.event?.position?.commit ?? resolved.commitPosition;
  if (commit === undefined) return UNKNOWN_POSITION;
  // −1 comes as the largest unsigned number.
  return BigInt.asIntN(64, commit);
}
