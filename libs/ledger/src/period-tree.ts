import { hash } from 'node:crypto';
import { type LedgerEvent, sealPreimage } from '@app/domain';

const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** The seal of a period over everything that it says (`docs/receipts.md`). */
export const sealOf = (period: Parameters<typeof sealPreimage>[0]): string => sha256(sealPreimage(period));

export const totalsHashOf = (totals: string): string => sha256(`totals\n${totals}`);

/** An entry as a receipt shows or hides it: without the salt nobody can guess it from its hash. */
export interface BlindedEntry {
  readonly salt: string;
  readonly hash: string;
}

export interface ChainedEvent {
  readonly revision: number;
  readonly event: Pick<LedgerEvent, 'type' | 'at' | 'entries'>;
  /** The journal's chain at this event. */
  readonly chainHash: string;
}

/** The entries of an event, each blinded by a salt of its own that only the period's blinding yields. */
export const blindEntries = ({ revision, event }: ChainedEvent, blinding: string): BlindedEntry[] =>
  event.entries.map(([account, currency, delta], index) => {
    const salt = sha256(`salt\n${blinding}\n${revision}\n${index}`);
    return { salt, hash: sha256(`entry\n${salt}\n${account}\n${currency}\n${delta}`) };
  });

/** The leaf of an event: what it is, its place in the chain, and the hashes of its blinded entries. */
export function leafOf(chained: ChainedEvent, entries: readonly BlindedEntry[]): string {
  const { revision, event, chainHash } = chained;
  let text = `event\n${revision}\n${event.type}\n${event.at}\n${chainHash}`;
  for (const entry of entries) text += `\n${entry.hash}`;
  return sha256(text);
}

const nodeOf = (left: string, right: string): string => sha256(`node\n${left}\n${right}`);

/** Where a tree splits: the largest power of two below its number of leaves (RFC 9162, 2.1.1). */
const partOf = (leaves: number): number => 2 ** Math.ceil(Math.log2(leaves) - 1);

/** The root over hashes, in order: a tree of RFC 9162's shape. */
export function rootOf(hashes: readonly string[]): string {
  const [only] = hashes;
  if (only === undefined) throw new Error('a tree has leaves');
  if (hashes.length === 1) return only;
  const part = partOf(hashes.length);
  return nodeOf(rootOf(hashes.slice(0, part)), rootOf(hashes.slice(part)));
}

/** The hashes that lead from a leaf to the root, from below. */
export function pathOf(hashes: readonly string[], index: number): string[] {
  if (hashes.length === 1) return [];
  const part = partOf(hashes.length);
  const [left, right] = [hashes.slice(0, part), hashes.slice(part)];
  return index < part ? [...pathOf(left, index), rootOf(right)] : [...pathOf(right, index - part), rootOf(left)];
}

/** The root that a leaf leads to by its path (RFC 9162, 2.1.3.2), or undefined where the path does not fit its place. */
export function rootByPath(
  leaf: string,
  place: { readonly index: number; readonly size: number },
  path: readonly string[],
) {
  let [at, last] = [place.index, place.size - 1];
  if (at < 0 || at > last) return undefined;
  let root = leaf;
  for (const other of path) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      root = nodeOf(other, root);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      root = nodeOf(root, other);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : undefined;
}

/** Events whose hashes are kept together: a receipt reads so many events of the journal, and no more. */
export const BLOCK_EVENTS = 256;

/** The tree over a period while its events go by. It keeps one hash a block, and the leaves of the block under way. */
export class PeriodTree {
  private readonly full: string[] = [];
  private leaves: string[] = [];

  constructor(private readonly blinding: string) {}

  add(chained: ChainedEvent): void {
    this.leaves.push(leafOf(chained, blindEntries(chained, this.blinding)));
    if (this.leaves.length < BLOCK_EVENTS) return;
    this.full.push(rootOf(this.leaves));
    this.leaves = [];
  }

  /** One hash a block, in order. The root over them is the root over all events: a block is a power of two. */
  get blocks(): readonly string[] {
    return this.leaves.length ? [...this.full, rootOf(this.leaves)] : this.full;
  }

  get root(): string {
    return rootOf(this.blocks);
  }
}
