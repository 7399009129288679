const MIXED_IN = 12;
const TWO_TO_32 = 4_294_967_296;

/** Numbers that a seed determines (sfc32). */
export class Random {
  private a = 0x9e3779b9;
  private b = 0x243f6a88;
  private c: number;
  private d: number;

  constructor(seed: number) {
    this.c = 0xb7e15162 ^ seed;
    this.d = Math.trunc(seed);
    for (let n = 0; n < MIXED_IN; n++) this.next();
  }

  /** From 0 to 1, 1 excluded. */
  next(): number {
    const mixed = (this.a + this.b + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + mixed;
    this.c |= 0;
    return (mixed >>> 0) / TWO_TO_32;
  }

  /** A whole number from 0 to `n`, `n` excluded. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  }
}
