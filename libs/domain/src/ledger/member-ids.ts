import { fourDigits } from './hex.js';
import { ownText } from './own-text.js';

const WORDS = 4;
const EMPTY = 0;

export interface MemberIdsSnapshot {
  /** 128 bits of each id that is a UUID, by slot; zeros where it is not. */
  readonly words: Uint32Array;
  /** The slots of all other ids, in ascending order. */
  readonly others: ReadonlyMap<string, number>;
}

/**
 * Members' ids, numbered from 0 in the order in which they came: 16 bytes each and a place or two in an open-addressed
 * index. A `Map` of texts takes twice the memory, and three times as long to find one of a million. Ids that are not UUIDs in
 * lower case are few, and kept in a map.
 */
export class MemberIds {
  private words = new Uint32Array();
  /** Slot + 1 of the id in each place, 0 where empty. At most half of the places are taken. */
  private index = new Uint32Array(128);
  private others = new Map<string, number>();
  private count = 0;
  /** The bits of the UUID that was read last. */
  private readonly read = new Uint32Array(WORDS);

  get size(): number {
    return this.count;
  }

  /** The slot of an id, or −1. */
  slotOf(id: string): number {
    if (!this.readUuid(id)) return this.others.get(id) ?? -1;
    return (this.index[this.placeOf(this.read, 0)] ?? EMPTY) - 1;
  }

  /** Assigns the next slot to a new id. */
  add(id: string): number {
    const slot = this.count;
    if (slot * WORDS === this.words.length) this.widen(Math.ceil(slot * 1.5) + 64);
    if (slot * 2 >= this.index.length) this.indexAll(slot * 4);
    this.count += 1;
    if (this.readUuid(id)) {
      this.words.set(this.read, slot * WORDS);
      this.index[this.placeOf(this.read, 0)] = this.count;
    } else {
      this.others.set(ownText(id), slot);
    }
    return slot;
  }

  /**
   * Removes the newest id. No later id can have probed past its place in the index, so clearing the place is enough.
   */
  removeNewest(id: string): void {
    if (!this.others.delete(id)) {
      const first = (this.count - 1) * WORDS;
      this.index[this.placeOf(this.words, first)] = EMPTY;
      this.words.fill(0, first, first + WORDS);
    }
    this.count -= 1;
  }

  /** Every id, by slot. */
  *[Symbol.iterator](): Generator<string, void, undefined> {
    const others = this.others.entries();
    let other = others.next().value;
    for (let slot = 0; slot < this.count; slot++) {
      if (other?.[1] === slot) {
        yield other[0];
        other = others.next().value;
      } else {
        yield uuidOf(this.words, slot * WORDS);
      }
    }
  }

  snapshot(): MemberIdsSnapshot {
    return { words: this.words.slice(0, this.count * WORDS), others: new Map(this.others) };
  }

  static restore({ words, others }: MemberIdsSnapshot): MemberIds {
    const ids = new MemberIds();
    ids.count = words.length / WORDS;
    ids.others = new Map(others);
    ids.words = words.slice();
    ids.indexAll(2 ** Math.ceil(Math.log2(ids.count * 2 + 2)));
    return ids;
  }

  /** The index place of the id whose bits begin at `first`: where it is or would go. */
  private placeOf(words: Uint32Array, first: number): number {
    const { index, words: known } = this;
    const mask = index.length - 1;
    const a = words[first] ?? 0;
    const b = words[first + 1] ?? 0;
    const c = words[first + 2] ?? 0;
    const d = words[first + 3] ?? 0;
    // Stryker disable next-line ArithmeticOperator: the places can be gone through in either direction, as long as it is always the same
    for (let place = mixed(a, b, c, d) & mask; ; place = (place + 1) & mask) {
      const entry = index[place] ?? EMPTY;
      if (entry === EMPTY) return place;
      const at = (entry - 1) * WORDS;
      if (known[at + 3] === d && known[at + 2] === c && known[at + 1] === b && known[at] === a) return place;
    }
  }

  private widen(capacity: number): void {
    const words = new Uint32Array(capacity * WORDS);
    words.set(this.words);
    this.words = words;
  }

  private indexAll(places: number): void {
    this.index = new Uint32Array(places);
    const others = new Set(this.others.values());
    for (let slot = 0; slot < this.count; slot++) {
      if (!others.has(slot)) this.index[this.placeOf(this.words, slot * WORDS)] = slot + 1;
    }
  }

  /** Whether an id is a UUID in lower case; its bits are then in `read`. */
  private readUuid(id: string): boolean {
    if (id.length !== 36 || id[8] !== '-' || id[13] !== '-' || id[18] !== '-' || id[23] !== '-') return false;
    const [a, b, c, d] = [fourDigits(id, 0), fourDigits(id, 4), fourDigits(id, 9), fourDigits(id, 14)];
    const [e, f, g, h] = [fourDigits(id, 19), fourDigits(id, 24), fourDigits(id, 28), fourDigits(id, 32)];
    if ((a | b | c | d | e | f | g | h) < 0) return false;
    this.read[0] = (a << 16) | b;
    this.read[1] = (c << 16) | d;
    this.read[2] = (e << 16) | f;
    this.read[3] = (g << 16) | h;
    return true;
  }
}

/** Consecutive UUIDs differ in few bits, at any position. */
function mixed(a: number, b: number, c: number, d: number): number {
  let bits = Math.imul(a, 0x9e37_79b1) ^ Math.imul(b, 0x85eb_ca6b) ^ Math.imul(c, 0xc2b2_ae35) ^ d;
  bits = Math.imul(bits ^ (bits >>> 16), 0x2c1b_3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a_2d39);
  return (bits ^ (bits >>> 15)) >>> 0;
}

function uuidOf(words: Uint32Array, first: number): string {
  let hex = '';
  for (let word = first; word < first + WORDS; word++) hex += (words[word] ?? 0).toString(16).padStart(8, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
