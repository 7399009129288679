import type { RecordedEvent } from '@app/event-store';
import type { JournalSigner } from '../signing/signer.js';
import type { JournalTrust } from '../signing/trust.js';
import { leafHashOf } from './log-tree.js';
import { BadNote, printNote, readNote, signersOf } from './signed-note.js';

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
