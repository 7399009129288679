import { hash } from 'node:crypto';

const HASH_BYTES = 32;

/** The hash of a leaf (RFC 6962, 2.1). */
export const leafHashOf = (leaf: string): Buffer => hash('sha256', `\0${leaf}`, 'buffer');

/** Of both hashes with 0x01 before them; one buffer for all, because a tree has as many nodes as leaves. */
const pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

function nodeHashOf(left: Buffer, right: Buffer): Buffer {
  left.copy(pair, 1);
  right.copy(pair, 1 + HASH_BYTES);
  return hash('sha256', pair, 'buffer');
}

/** Of no leaves. */
const EMPTY_ROOT = hash('sha256', '', 'buffer');

/**
 * The Merkle tree of RFC 6962 over leaves that arrive one by one. It keeps only the roots of its perfect subtrees, one
 * for each bit of its size: enough to continue and to compute its root.
 */
export class LogTree {
  private constructor(
    private leaves: number,
    private readonly peaks: Buffer[],
  ) {}

  static empty(): LogTree {
    return new LogTree(0, []);
  }

  /** As `toBytes` gave it; undefined where that is no tree of so many leaves. */
  static of(size: number, bytes: Buffer): LogTree | undefined {
    const count = bitsOf(size);
    if (bytes.length !== count * HASH_BYTES) return undefined;
    const peaks = Array.from({ length: count }, (_, n) => bytes.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES));
    return new LogTree(size, peaks);
  }

  get size(): number {
    return this.leaves;
  }

  get root(): Buffer {
    return (
      this.peaks.reduceRight(
        (right: Buffer | undefined, left) => (right ? nodeHashOf(left, right) : left),
        undefined,
      ) ?? EMPTY_ROOT
    );
  }

  /** A copy that continues from here. */
  copy(): LogTree {
    return new LogTree(this.leaves, [...this.peaks]);
  }

  /** @param leafHash of the next leaf */
  add(leafHash: Buffer): void {
    let node = leafHash;
    for (let rest = this.leaves; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      node = nodeHashOf(this.peaks.pop() as Buffer, node);
    }
    this.peaks.push(node);
    this.leaves += 1;
  }

  toBytes(): Buffer {
    return Buffer.concat(this.peaks);
  }
}

function bitsOf(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}
