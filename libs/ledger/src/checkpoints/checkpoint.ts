import { hash } from 'node:crypto';
import type { RecordedEvent } from '@app/event-store';
import { isSignedBy } from '../signing/range.js';
import type { JournalSigner } from '../signing/signer.js';
import type { JournalTrust } from '../signing/trust.js';
import { leafHashOf } from './log-tree.js';

/** A possible signer of a note. */
interface NoteKey {
  readonly name: string;
  /** Ed25519, 64 hex digits. */
  readonly publicKey: string;
}

/** Not a note, or not signed by a known key. */
class BadNote extends Error {
  override readonly name = 'BadNote';
}

const KEY_HASH_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** A witness adds one each. */
const SIGNATURES_MAX = 100;
/** By what the format knows Ed25519. */
const ED25519 = 1;
const CONTROL = /(?!\n)\p{Cc}/u;
const SIGNATURE_LINE = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/;

/** What a signature line begins with behind the name: where names are alike, it tells keys apart. */
function keyHashOf({ name, publicKey }: NoteKey): Buffer {
  const key = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), Buffer.from(publicKey, 'hex')]);
  return hash('sha256', key, 'buffer').subarray(0, KEY_HASH_BYTES);
}

/**
 * A note (c2sp.org/signed-note): the text, an empty line, and a line for the signature.
 * @param text ends with a line feed
 * @param signature Ed25519 over the text, in base64url
 */
export function printNote(text: string, by: NoteKey, signature: string): string {
  const signed = Buffer.concat([keyHashOf(by), Buffer.from(signature, 'base64url')]).toString('base64');
  return `${text}\n— ${by.name} ${signed}\n`;
}

/** Text and signatures of a note. Nothing of it is checked yet. @throws BadNote */
export function readNote(note: string): { readonly text: string; readonly signatures: readonly string[] } {
  const end = note.lastIndexOf('\n\n');
  const [text, rest] = [note.slice(0, end + 1), note.slice(end + 2)];
  const signatures = rest.split('\n').slice(0, -1);
  const isWhole = end > 0 && rest.endsWith('\n') && signatures.length <= SIGNATURES_MAX;
  if (!isWhole || CONTROL.test(note) || !signatures.every((line) => SIGNATURE_LINE.test(line))) {
    throw new BadNote('it is not a signed note');
  }
  return { text, signatures };
}

/**
 * Those of the keys that have signed a note. Signatures of others, of witnesses for instance, are passed over.
 * @throws BadNote a signature that says it is of one of the keys is not, or none is
 */
export function signersOf<K extends NoteKey>(note: string, keys: readonly K[]): K[] {
  const { text, signatures } = readNote(note);
  const found = signatures.flatMap((line) => {
    const [, name = '', base64 = ''] = SIGNATURE_LINE.exec(line) ?? [];
    const bytes = Buffer.from(base64, 'base64');
    const id = bytes.subarray(0, KEY_HASH_BYTES);
    const key = keys.find((each) => each.name === name && keyHashOf(each).equals(id));
    if (!key) return [];
    const signature = bytes.subarray(KEY_HASH_BYTES);
    const isSound = bytes.toString('base64') === base64 && signature.length === SIGNATURE_BYTES;
    if (!isSound || !isSignedBy(key.publicKey, text, signature.toString('base64url'))) {
      throw new BadNote(`its signature by ${name} is wrong`);
    }
    return [key];
  });
  if (found.length === 0) throw new BadNote('it is signed by no key that we trust');
  return found;
}

/** What a checkpoint says (c2sp.org/tlog-checkpoint): so many events, in this order, have this root. */
export interface Checkpoint {
  /** Which tree: see `originOf`. */
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
}

const TEXT = /^(nova-journal\/([0-9a-f]{32})\/[0-9a-f]{16})\n(0|[1-9]\d{0,14})\n([A-Za-z0-9+/]{43}=)\n$/;

/**
 * The name of a tree. Where a ledger was imported without the events of other streams, the tree is another one, of the same
 * journal.
 * @param journal 32 hex digits
 * @param tree 16 hex digits
 */
export const originOf = (journal: string, tree: string): string => `nova-journal/${journal}/${tree}`;

/** An event as a leaf of the tree: all of it but its place in the store, which is each store's own. */
export const eventLeafHash = ({
  stream,
  revision,
  id,
  type,
  data,
  metadata,
}: Omit<RecordedEvent, 'position'>): Buffer =>
  leafHashOf(`${stream}\n${revision}\n${id}\n${type}\n${data}\n${metadata}`);

const textOf = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${root.toString('base64')}\n`;

/** As a signed note. */
export function printCheckpoint(checkpoint: Checkpoint, signer: JournalSigner): string {
  const text = textOf(checkpoint);
  return printNote(text, { name: checkpoint.origin, publicKey: signer.publicKey }, signer.sign(text));
}

/** What a note says, whoever signed it. @throws BadNote it is no checkpoint of a journal */
export function readCheckpoint(note: string): Checkpoint & { readonly journal: string } {
  const { text } = readNote(note);
  const [, origin = '', journal = '', size, root = ''] = TEXT.exec(text) ?? [];
  const checkpoint = { origin, journal, size: Number(size), root: Buffer.from(root, 'base64') };
  if (textOf(checkpoint) !== text) throw new BadNote('it is not a checkpoint of a journal');
  return checkpoint;
}

/** A checkpoint of a journal that we know, signed by one of its keys. @throws BadNote */
export function openCheckpoint(note: string, trust: JournalTrust): Checkpoint {
  const { journal, ...checkpoint } = readCheckpoint(note);
  const keys = trust.filter((key) => key.journal === journal);
  if (keys.length === 0) throw new BadNote(`it is of the journal ${journal}, which is not ours`);
  signersOf(
    note,
    keys.map(({ publicKey }) => ({ name: checkpoint.origin, publicKey })),
  );
  return checkpoint;
}
