import { wordOf } from '@app/domain';

const WORDS = 3;
const ROW = WORDS + 1;
/** The maximal load: a search then looks at two or three places. */
const FULL = 0.6;

/**
 * Remembers the first revision of each of very many hashes: 16 bytes a place, about 30 a hash. It keeps 96 bits of a
 * hash, so no two of ten million collide.
 */
export class OnceTable {
  private places = 1_024;
  private rows = new Uint32Array(this.places * ROW);
  private count = 0;

  /**
   * @param hash at least 24 hex digits in lower case
   * @returns the revision under which the hash is here already; where it is new it is added, and the answer is undefined
   */
  add(hash: string, revision: number): number | undefined {
    if (this.count >= this.places * FULL) this.grow();
    const [a, b, c] = [wordOf(hash, 0), wordOf(hash, 1), wordOf(hash, 2)];
    const at = this.placeOf(a, b, c);
    const known = this.rows[at + WORDS] ?? 0;
    if (known > 0) return known - 1;
    this.put(at, [a, b, c, revision + 1]);
    this.count += 1;
    return undefined;
  }

  /** The revision under which the hash was added, or undefined. */
  find(hash: string): number | undefined {
    const known = this.rows[this.placeOf(wordOf(hash, 0), wordOf(hash, 1), wordOf(hash, 2)) + WORDS] ?? 0;
    return known > 0 ? known - 1 : undefined;
  }

  /** Where these words are, or the free place where they belong. A place is free while its revision is 0. */
  private placeOf(a: number, b: number, c: number): number {
    const { rows, places } = this;
    for (let place = a % places; ; place = place + 1 === places ? 0 : place + 1) {
      const at = place * ROW;
      if (rows[at + WORDS] === 0 || (rows[at] === a && rows[at + 1] === b && rows[at + 2] === c)) return at;
    }
  }

  private put(at: number, row: readonly [number, number, number, number]): void {
    for (let word = 0; word < ROW; word++) this.rows[at + word] = row[word] ?? 0;
  }

  private grow(): void {
    const old = this.rows;
    this.places *= 2;
    this.rows = new Uint32Array(this.places * ROW);
    for (let from = 0; from < old.length; from += ROW) {
      if (old[from + WORDS] === 0) continue;
      const [a = 0, b = 0, c = 0, known = 0] = old.subarray(from, from + ROW);
      this.put(this.placeOf(a, b, c), [a, b, c, known]);
    }
  }
}
