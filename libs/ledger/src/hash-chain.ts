import { hash } from 'node:crypto';

/** The hash before the first event. */
export const GENESIS_HASH = '0'.repeat(64);

/**
 * The chain over the journal (rule ledger-31): SHA-256 of the previous hash, the revision, the type and the data's
 * bytes as stored, each on a line of its own; 64 hex digits.
 */
export const chainHash = (previous: string, revision: number, type: string, data: string): string =>
  hash('sha256', `${previous}\n${revision}\n${type}\n${data}`, 'hex');

const REVISION_DIGITS = 12;

/**
 * An event's id: a UUIDv8 of its revision (48 bits) and the first 74 bits of its chain hash. So the id identifies the bytes,
 * and says by itself where in the journal they are: no index is needed to find an event by its id.
 */
export function eventIdOf(chain: string, revision: number): string {
  const place = revision.toString(16).padStart(REVISION_DIGITS, '0');
  const variant = ((parseInt(chain.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${place.slice(0, 8)}-${place.slice(8)}-8${chain.slice(0, 3)}-${variant}${chain.slice(4, 7)}-${chain.slice(7, 19)}`;
}

const EVENT_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The only revision whose event can have this id, or undefined for text that is no event's id. */
export function revisionOfEventId(id: string): number | undefined {
  const [, high, low] = EVENT_ID.exec(id) ?? [];
  return high !== undefined && low !== undefined ? parseInt(high + low, 16) : undefined;
}

/** The journal does not match its own hashes. */
export class BrokenChain extends Error {
  override readonly name = 'BrokenChain';
}
