import { hash } from 'node:crypto';

/** Numbers that look random and are the same for the same seed, so that the same picture is drawn again. */
export class SeededRandom {
  private state: number;

  constructor(seed: string) {
    this.state = Number.parseInt(hash('sha256', seed, 'hex').slice(0, 8), 16);
  }

  /** From 0 to below 1. (Mulberry32.) */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number, `low` and `high` among them. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.whole(0, choices.length - 1)] ?? choices[0];
  }

  /** So many of them, each once, in their order. */
  some<T>(choices: readonly T[], count: number): T[] {
    const drawn = choices.map((choice, index) => ({ choice, index, draw: this.next() }));
    return drawn
      .toSorted((a, b) => a.draw - b.draw)
      .slice(0, count)
      .toSorted((a, b) => a.index - b.index)
      .map(({ choice }) => choice);
  }
}
