import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore, RecordedEvent } from '@app/event-store';
import {
  type Checkpoint,
  eventLeafHash,
  type JournalSigner,
  type JournalTrust,
  LogTree,
  openCheckpoint,
  originOf,
  printCheckpoint,
} from '@app/ledger';
import type { KeptCheckpoint } from './checkpoint-log.js';

const TREE_BYTES = 8;
/** After each batch, which takes some ten milliseconds of the thread that answers requests: nobody waits for a checkpoint. */
const BREATH_MS = 20;

/** An event up to which a checkpoint goes. */
export type Mark = Pick<RecordedEvent, 'id' | 'position'>;

export interface CheckpointOptions {
  readonly store: Pick<EventStore, 'readAll'>;
  /** 32 hex digits. */
  readonly journal: string;
  readonly trust: JournalTrust;
  readonly signer: JournalSigner;
  /** The one before; undefined for the first, which begins a new tree. */
  readonly last: KeptCheckpoint | undefined;
  /** Was the last event of all, some time ago. */
  readonly upTo: Mark;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** The journal is not the one that the last checkpoint was made of: no other may be signed under the same name. */
export class JournalForked extends Error {
  override readonly name = 'JournalForked';
}

/** The last event of all streams. */
export async function lastEvent(store: Pick<EventStore, 'readAll'>): Promise<Mark | undefined> {
  for await (const [event] of store.readAll({ direction: 'backwards', limit: 1 })) return event;
  return undefined;
}

/**
 * Signs a tree over all events of all streams up to one of them. It goes on from the last event of the last checkpoint, where
 * that is still there, and keeps no event.
 * @returns undefined where the event is gone by now (another node leads, which never had it), or the work was to end
 * @throws JournalForked what was signed before is not in the journal any more
 * @throws BadNote the last checkpoint, as it is kept, is not ours
 * @throws StoreUnavailable
 */
export async function makeCheckpoint(options: CheckpointOptions): Promise<KeptCheckpoint | undefined> {
  const { journal, trust, signer, last, upTo, now, signal } = options;
  const signed = last && openCheckpoint(last.note, trust);
  let grown = last && signed && (await grow(options, last, signed));
  if (!grown?.holds && !signal.aborted) grown = await grow(options, FIRST, signed);
  if (signal.aborted || !grown) return undefined;
  if (!grown.holds) {
    throw new JournalForked(
      `the journal is not the one whose first ${signed?.size} events were signed: run verify with --seals`,
    );
  }
  if (!grown.before) return undefined;
  // Signatures that began anew have another journal's name: the tree goes on, and has a new one as well.
  const origin = signed?.origin.startsWith(originOf(journal, ''))
    ? signed.origin
    : originOf(journal, randomBytes(TREE_BYTES).toString('hex'));
  const { size, root } = grown.tree;
  const note = printCheckpoint({ origin, size, root }, signer);
  return { size, note, lastEvent: upTo.id, ...grown.before, madeAt: now };
}

/** Where a tree goes on: what is in it already, and the position of its last event. */
type Start = Pick<KeptCheckpoint, 'tree' | 'position'>;

const FIRST: Start = { tree: LogTree.empty(), position: undefined };

interface Grown {
  readonly tree: LogTree;
  /** Where the tree stood before its last event; undefined where that is not the one that was asked for. */
  readonly before: Start | undefined;
  /** Whether it had the root that was signed, at that size. */
  readonly holds: boolean;
}

async function grow(
  { store, upTo, signal }: CheckpointOptions,
  start: Start,
  signed: Checkpoint | undefined,
): Promise<Grown> {
  const tree = start.tree.copy();
  let { position } = start;
  let before: Start | undefined;
  let holds = signed === undefined;
  const after = position === undefined ? {} : { after: position };
  for await (const batch of store.readAll({ ...after, upTo: upTo.position, signal })) {
    for (const event of batch) {
      before = event.id === upTo.id ? { tree: tree.copy(), position } : undefined;
      tree.add(eventLeafHash(event));
      ({ position } = event);
      if (tree.size !== signed?.size) continue;
      holds = tree.root.equals(signed.root);
      if (!holds) return { tree, before, holds };
    }
    await sleep(BREATH_MS);
  }
  return { tree, before, holds };
}
