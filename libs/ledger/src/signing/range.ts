import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { EVOLVE_VERSION, PUBLIC_KEY_DIGITS, type Signing } from '@app/domain';
import type { NewEvent } from '@app/event-store';
import { bareMetadata } from '../envelope.js';

/** The most events of one range, which bounds what a reader holds back. */
export const RANGE_EVENTS_MAX = 8_192;

/** The most events of one append to another stream, which bounds a reader's search for its end. */
export const APPEND_EVENTS_MAX = 500;

/** Of their types, data and metadata: more than any store takes at once. */
export const APPEND_BYTES_MAX = 8 * 1024 * 1024;

/** Of their data and metadata: an append is smaller by far. */
export const RANGE_BYTES_MAX = 2 * 1024 * 1024;

/** One server's append, as its signature covers it. */
export interface SignedRange {
  readonly stream: string;
  readonly first: number;
  readonly last: number;
  /** Of the chain at the last event: it covers every event of the range, and all before it. */
  readonly hash: string;
  /** Every event's metadata, the last one's without the range's own fields. */
  readonly metadata: readonly string[];
}

const PUBLIC_KEY = new RegExp(`^${PUBLIC_KEY_DIGITS}$`);

/** By which metadata names a key: the first 16 hex digits of SHA-256 over its kind and its 64 hex digits. */
export const keyIdOf = (publicKey: string): string => hash('sha256', `nova-key-1\n${publicKey}`, 'hex').slice(0, 16);

/** What is signed for a range: eight lines, the first of which says that it is one. */
export function rangeText({ journal, publicKey }: Pick<Signing, 'journal' | 'publicKey'>, range: SignedRange): string {
  const { stream, first, last, metadata } = range;
  return [
    'nova-range-1',
    journal,
    keyIdOf(publicKey),
    stream,
    first,
    last,
    range.hash,
    hash('sha256', metadata.join('\n'), 'hex'),
  ].join('\n');
}

/** What one server wrote in one append to another stream than the ledger's. */
export interface SignedAppend {
  readonly stream: string;
  /** The revision of its first event. */
  readonly first: number;
  /** The last one's metadata with or without the mark. */
  readonly events: readonly NewEvent[];
}

/** What is signed for such an append: seven lines, the last of which stands for its events' ids, types, data and metadata. */
export function appendText(
  { journal, publicKey }: Pick<Signing, 'journal' | 'publicKey'>,
  { stream, first, events }: SignedAppend,
): string {
  const lines = events.map(({ id, type, data, metadata }, place) => {
    const bare = place === events.length - 1 ? bareMetadata(metadata) : metadata;
    return `${id}\n${type}\n${data}\n${bare}`;
  });
  const digest = hash('sha256', lines.join('\n'), 'hex');
  return ['nova-append-1', journal, keyIdOf(publicKey), stream, first, events.length, digest].join('\n');
}

/** What is signed for a snapshot: a state that is not the journal's would give anybody anything. */
export const snapshotText = (
  { journal, publicKey }: Pick<Signing, 'journal' | 'publicKey'>,
  snapshot: { readonly revision: number; readonly hash: string; readonly stateHash: string },
): string =>
  [
    'nova-snapshot-1',
    journal,
    keyIdOf(publicKey),
    EVOLVE_VERSION,
    snapshot.revision,
    snapshot.hash,
    snapshot.stateHash,
  ].join('\n');

/** What is signed for a receipt: that the journal has a period with this seal. */
export const sealText = (
  { journal, publicKey }: Pick<Signing, 'journal' | 'publicKey'>,
  { number, seal }: { readonly number: number; readonly seal: string },
): string => ['nova-seal-1', journal, keyIdOf(publicKey), number, seal].join('\n');

/** The text that a key signs when it takes over from another. */
export const takeoverText = ({ journal, publicKey }: Pick<Signing, 'journal' | 'publicKey'>, next: string): string =>
  ['nova-takeover-1', journal, keyIdOf(publicKey), next].join('\n');

/** Whether a signature is this key's, in the one way in which base64url writes it. What is no key has signed nothing. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  if (!PUBLIC_KEY.test(publicKey)) return false;
  const bytes = Buffer.from(signature, 'base64url');
  return (
    bytes.toString('base64url') === signature && verify(undefined, Buffer.from(text), publicKeyOf(publicKey), bytes)
  );
}

/** Caches the last key, because a journal has one key for years. */
let known: readonly [hex: string, key: KeyObject] | undefined;

function publicKeyOf(hex: string): KeyObject {
  if (known?.[0] !== hex) {
    const x = Buffer.from(hex, 'hex').toString('base64url');
    known = [hex, createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })];
  }
  return known[1];
}
