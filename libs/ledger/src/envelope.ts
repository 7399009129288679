import { randomUUID } from 'node:crypto';
import { METADATA_MARK } from '@app/event-store';
import { BrokenChain } from './hash-chain.js';

/**
 * The version of metadata. Both versions can be read, mixed in one journal. The second has ids that link what belongs
 * together. Chain, event ids and data are the same in both.
 */
export type EnvelopeVersion = 1 | 2;

/** Stands in the metadata of the last event of a signed range, or of an append to another stream; always in version 2. */
export interface RangeMark {
  /** The first revision of the range, or of the append. */
  readonly first: number;
  /** Which key signed it: see `keyIdOf`. */
  readonly key: string;
  /** The signature of `rangeText` or `appendText`, base64url. */
  readonly sig: string;
}

/** The metadata of a ledger event. */
export interface Envelope {
  readonly hash: string;
  /** Of everything that one request or one job led to; in version 2 alone. */
  readonly correlationId?: string | undefined;
  /** The event that led to it, of whichever stream; in version 2 alone. */
  readonly causationId?: string | undefined;
  readonly range?: RangeMark | undefined;
}

/** Where a command comes from: ids of the request, and of the event that a process manager acts on. */
export type Origin = Pick<Envelope, 'correlationId' | 'causationId'>;

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const LOWER_UUID = new RegExp(`^${UUID}$`);
const FIRST = /^\{"hash":"([0-9a-f]{64})"\}$/;
/** Exactly the text of `printEnvelope`: no other field, no doubled field, no other order. */
const SECOND = new RegExp(
  `^\\{"nova":2,"hash":"([0-9a-f]{64})","\\$correlationId":"(${UUID})"(?:,"\\$causationId":"(${UUID})")?` +
    `(?:,"first":(0|[1-9]\\d{0,14}),"key":"([0-9a-f]{16})","sig":"([\\w-]{86})")?\\}$`,
);

/** Of version 2 where it has a correlation id. */
export function printEnvelope({ hash, correlationId, causationId, range }: Envelope): string {
  if (correlationId === undefined) return `{"hash":"${hash}"}`;
  const cause = causationId === undefined ? '' : `,"$causationId":"${causationId}"`;
  const mark = range === undefined ? '' : markText(range);
  return `${METADATA_MARK}"hash":"${hash}","$correlationId":"${correlationId}"${cause}${mark}}`;
}

/** Undefined for text that is neither version's. */
export function readEnvelope(metadata: string): Envelope | undefined {
  const [, hash, correlationId, causationId, first, key, sig] = FIRST.exec(metadata) ?? SECOND.exec(metadata) ?? [];
  if (hash === undefined) return undefined;
  const range = key !== undefined && sig !== undefined ? { first: Number(first), key, sig } : undefined;
  return { hash, correlationId, causationId, range };
}

/** Whether metadata of either version has this hash; what it says besides must be in its place all the same. */
export const carriesHash = (metadata: string, hash: string): boolean =>
  metadata === `{"hash":"${hash}"}` || readEnvelope(metadata)?.hash === hash;

/** Metadata of a stream other than the ledger's, whose last fields are a mark. */
const MARKED = /^(\{"nova":2,.*),"first":(0|[1-9]\d{0,14}),"key":"([0-9a-f]{16})","sig":"([\w-]{86})"\}$/s;

/** The mark of an append to a stream other than the ledger's, in its last event's metadata; undefined where it has none. */
export function markOf(metadata: string): RangeMark | undefined {
  const [, , first, key, sig] = MARKED.exec(metadata) ?? [];
  return key !== undefined && sig !== undefined ? { first: Number(first), key, sig } : undefined;
}

/** The same metadata without its mark, as it is signed. */
export function bareMetadata(metadata: string): string {
  const [, bare] = MARKED.exec(metadata) ?? [];
  return bare === undefined ? metadata : `${bare}}`;
}

/** @param metadata of version 2, with one field at least @throws Error it is none */
export function markedMetadata(metadata: string, mark: RangeMark): string {
  if (!metadata.startsWith(METADATA_MARK) || markOf(metadata)) {
    throw new Error('only events with metadata of version 2 are signed, and once');
  }
  return `${metadata.slice(0, -1)}${markText(mark)}}`;
}

const markText = ({ first, key, sig }: RangeMark): string => `,"first":${first},"key":"${key}","sig":"${sig}"`;

/** The hash that an event's metadata carries. @throws BrokenChain it has none: it is no event of this journal */
export function hashOf(metadata: string): string {
  const hash = readEnvelope(metadata)?.hash;
  if (hash === undefined) throw new BrokenChain('an event carries no chain hash');
  return hash;
}

/** The version of an event's metadata; 2 where there is no event yet. */
export const envelopeAfter = (metadata: string | undefined): EnvelopeVersion =>
  metadata === undefined || metadata.startsWith(METADATA_MARK) ? 2 : 1;

/** An id that metadata may carry: a lower-case UUID. */
export const isEnvelopeId = (text: string | undefined): text is string => text !== undefined && LOWER_UUID.test(text);

/** The correlation id that was given, or a new one where none was, or one that is no id of ours. */
export const correlationOf = (given: string | undefined): string => (isEnvelopeId(given) ? given : randomUUID());
