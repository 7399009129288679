import { KEY_WINDOW_MAX, KEY_WINDOW_MS } from './constants.js';
import type { CommandKey } from './events.js';
import { wordOf } from './hex.js';
import { invariant } from './invariant.js';
import type { UndoLog, Undoable } from './undo-log.js';

/** Room beyond the window for evicted keys that are not settled yet: more than two batches need. */
const SLACK = 48_576;
const CAPACITY_MAX = KEY_WINDOW_MAX + SLACK;
const EMPTY = 0;

export interface WindowedKey {
  readonly fingerprint: string;
  readonly revision: number;
  readonly at: number;
}

export interface KeyWindowSnapshot {
  readonly hashes: Uint32Array;
  readonly fingerprints: Uint32Array;
  readonly revisions: Float64Array;
  readonly times: Float64Array;
  readonly evicted: { readonly revision: number; readonly at: number } | undefined;
}

/**
 * The idempotency keys of the last 48 hours of journal time, at most a million: a ring of fixed-width rows with an
 * open-addressed index, about 50 bytes for each key (rule ledger-26). Eviction depends on the events alone, so every
 * replay agrees. A row outlives its eviction until `settle`, so that the eviction can be undone.
 */
export class KeyWindow {
  private capacity = 1_024;
  private hashes = new Uint32Array(this.capacity * 4);
  private fingerprints = new Uint32Array(this.capacity * 2);
  private revisions = new Float64Array(this.capacity);
  private times = new Float64Array(this.capacity);
  /** Sequence number + 1 of the row in each place, 0 where empty. Rows are numbered from 0 for ever; row n is at n % capacity. */
  private index = new Float64Array(this.capacity * 2);
  private physicalHead = 0;
  private head = 0;
  private tail = 0;
  /** Rows from here on are not indexed yet. Only a search needs the index, and a long replay evicts most rows first. */
  private unindexed = 0;
  private readonly added: Undoable<undefined, undefined, undefined> = {
    takeBack: () => {
      this.tail -= 1;
      if (this.tail >= this.unindexed) return;
      this.unlink(this.tail);
      this.unindexed = this.tail;
    },
  };
  private readonly fellOut: Undoable<number, KeyWindow['evicted'], undefined> = {
    takeBack: (head, evicted) => {
      this.head = head;
      this.evictedKey = evicted;
    },
  };

  constructor(
    private readonly max = KEY_WINDOW_MAX,
    private readonly maxMs = KEY_WINDOW_MS,
  ) {}

  get size(): number {
    return this.tail - this.head;
  }

  /** The newest key that fell out of the window; every key after it is inside. */
  get evicted(): { readonly revision: number; readonly at: number } | undefined {
    return this.evictedKey;
  }
  private evictedKey: { readonly revision: number; readonly at: number } | undefined;

  find(hash: string): WindowedKey | undefined {
    this.indexRows();
    const [a, b, c, d] = [wordOf(hash, 0), wordOf(hash, 1), wordOf(hash, 2), wordOf(hash, 3)];
    const mask = this.index.length - 1;
    for (let place = a & mask; ; place = (place + 1) & mask) {
      const entry = this.index[place] ?? EMPTY;
      if (entry === EMPTY) return undefined;
      if (entry - 1 < this.head) continue;
      const row = (entry - 1) % this.capacity;
      const at = row * 4;
      if (
        this.hashes[at] === a &&
        this.hashes[at + 1] === b &&
        this.hashes[at + 2] === c &&
        this.hashes[at + 3] === d
      ) {
        return this.read(row);
      }
    }
  }

  /** Adds a key and evicts by the rule. `undo` notes how to take both back. */
  add(key: CommandKey, revision: number, at: number, undo: UndoLog | undefined): void {
    if (this.tail - this.physicalHead === this.capacity) this.makeRoom();
    const row = this.tail % this.capacity;
    for (let word = 0; word < 4; word++) this.hashes[row * 4 + word] = wordOf(key.hash, word);
    for (let word = 0; word < 2; word++) this.fingerprints[row * 2 + word] = wordOf(key.fingerprint, word);
    this.revisions[row] = revision;
    this.times[row] = at;
    this.tail += 1;
    undo?.record(this.added, undefined, undefined, undefined);
    this.evict(at, undo);
    if (!undo) this.settle();
  }

  /** The number of keys ever evicted, in which `settle` counts. */
  get evictions(): number {
    return this.head;
  }

  /** Releases the first `evictions` evicted keys, whose evictions are durable now. */
  settle(evictions = this.head): void {
    invariant(evictions <= this.head, 'a key inside the window cannot be let go');
    for (; this.physicalHead < evictions; this.physicalHead++) {
      if (this.physicalHead < this.unindexed) this.unlink(this.physicalHead);
    }
    this.unindexed = Math.max(this.unindexed, this.physicalHead);
  }

  /** Brings the index up to date, so that the next search does not have to. */
  indexRows(): void {
    for (; this.unindexed < this.tail; this.unindexed++) this.link(this.unindexed);
  }

  snapshot(): KeyWindowSnapshot {
    const rows = this.size;
    const copy = {
      hashes: new Uint32Array(rows * 4),
      fingerprints: new Uint32Array(rows * 2),
      revisions: new Float64Array(rows),
      times: new Float64Array(rows),
      evicted: this.evictedKey,
    };
    for (let n = 0; n < rows; n++) {
      const row = (this.head + n) % this.capacity;
      copy.hashes.set(this.hashes.subarray(row * 4, row * 4 + 4), n * 4);
      copy.fingerprints.set(this.fingerprints.subarray(row * 2, row * 2 + 2), n * 2);
      copy.revisions[n] = this.revisions[row] ?? 0;
      copy.times[n] = this.times[row] ?? 0;
    }
    return copy;
  }

  static restore(from: KeyWindowSnapshot, max = KEY_WINDOW_MAX, maxMs = KEY_WINDOW_MS): KeyWindow {
    const window = new KeyWindow(max, maxMs);
    const rows = from.revisions.length;
    // Stryker disable next-line EqualityOperator: a window with more room than it needs is the same window
    while (window.capacity < rows) window.grow();
    window.hashes.set(from.hashes);
    window.fingerprints.set(from.fingerprints);
    window.revisions.set(from.revisions);
    window.times.set(from.times);
    window.tail = rows;
    window.evictedKey = from.evicted;
    return window;
  }

  private read(row: number): WindowedKey {
    const hex = (word: number | undefined) => (word ?? 0).toString(16).padStart(8, '0');
    return {
      fingerprint: hex(this.fingerprints[row * 2]) + hex(this.fingerprints[row * 2 + 1]),
      revision: this.revisions[row] ?? 0,
      at: this.times[row] ?? 0,
    };
  }

  private evict(now: number, undo: UndoLog | undefined): void {
    const { head, evictedKey } = this;
    // Stryker disable next-line EqualityOperator,ArithmeticOperator: the newest key is inside by the rule as well, the loop ends there
    while (this.head < this.tail - 1) {
      const row = this.head % this.capacity;
      const at = this.times[row] ?? 0;
      if (this.size <= this.max && at >= now - this.maxMs) break;
      this.evictedKey = { revision: this.revisions[row] ?? 0, at };
      this.head += 1;
    }
    if (this.head === head) return;
    undo?.record(this.fellOut, head, evictedKey, undefined);
  }

  private link(row: number): void {
    const mask = this.index.length - 1;
    let place = (this.hashes[(row % this.capacity) * 4] ?? 0) & mask;
    while (this.index[place] !== EMPTY) place = (place + 1) & mask;
    this.index[place] = row + 1;
  }

  /** Removes a row from the index and closes the gap, so that no search stops early. */
  private unlink(row: number): void {
    const mask = this.index.length - 1;
    const home = (entry: number) => (this.hashes[((entry - 1) % this.capacity) * 4] ?? 0) & mask;
    let hole = (this.hashes[(row % this.capacity) * 4] ?? 0) & mask;
    while (this.index[hole] !== row + 1) {
      invariant(this.index[hole] !== EMPTY, 'a key of the window is missing from its index');
      hole = (hole + 1) & mask;
    }
    this.index[hole] = EMPTY;
    for (let place = (hole + 1) & mask; this.index[place] !== EMPTY; place = (place + 1) & mask) {
      const entry = this.index[place] ?? EMPTY;
      const fromHome = (place - home(entry)) & mask;
      if (fromHome < ((place - hole) & mask)) continue;
      this.index[hole] = entry;
      this.index[place] = EMPTY;
      hole = place;
    }
  }

  private makeRoom(): void {
    invariant(this.capacity < CAPACITY_MAX, 'too many keys await their settlement');
    this.grow();
  }

  private grow(): void {
    const capacity = Math.min(this.capacity * 2, CAPACITY_MAX);
    const places = 2 ** Math.ceil(Math.log2(capacity * 1.5));
    const old = { hashes: this.hashes, fingerprints: this.fingerprints, revisions: this.revisions, times: this.times };
    const oldCapacity = this.capacity;
    this.capacity = capacity;
    this.hashes = new Uint32Array(capacity * 4);
    this.fingerprints = new Uint32Array(capacity * 2);
    this.revisions = new Float64Array(capacity);
    this.times = new Float64Array(capacity);
    this.index = new Float64Array(places);
    for (let sequence = this.physicalHead; sequence < this.tail; sequence++) {
      const from = sequence % oldCapacity;
      const to = sequence % capacity;
      // Stryker disable EqualityOperator: a word too many belongs to the row after, which is free or about to be written
      for (let word = 0; word < 4; word++) this.hashes[to * 4 + word] = old.hashes[from * 4 + word] ?? 0;
      for (let word = 0; word < 2; word++) this.fingerprints[to * 2 + word] = old.fingerprints[from * 2 + word] ?? 0;
      // Stryker restore EqualityOperator
      this.revisions[to] = old.revisions[from] ?? 0;
      this.times[to] = old.times[from] ?? 0;
      if (sequence < this.unindexed) this.link(sequence);
    }
  }
}
