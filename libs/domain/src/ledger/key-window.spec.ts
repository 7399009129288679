import * as fc from 'fast-check';
import { KEY_WINDOW_MS } from './constants.js';
import { judgeKey } from './idempotency.js';
import { LedgerInvariantError } from './invariant.js';
import { KeyWindow } from './key-window.js';
import { LedgerState } from './state.js';
import { LedgerRun, START_MS } from './testing/ledger-run.js';
import { UndoLog } from './undo-log.js';

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
/** Few first words, so that many keys want the same place in the index. */
const hashOf = (n: number) => hex(n % 3, 8) + hex(n, 24);
const keyOf = (n: number) => ({ hash: hashOf(n), fingerprint: hex(n, 16) });

interface Row {
  readonly n: number;
  readonly revision: number;
  readonly at: number;
}

/** The rule in a list: the newest `max` of the last `maxMs`, the newest always among them. */
class ListWindow {
  rows: Row[] = [];
  evicted: Row | undefined;

  constructor(
    private readonly max: number,
    private readonly maxMs: number,
  ) {}

  add(row: Row): void {
    this.rows.push(row);
    for (let [oldest] = this.rows; oldest; [oldest] = this.rows) {
      if (this.rows.length === 1) return;
      if (this.rows.length <= this.max && oldest.at >= row.at - this.maxMs) return;
      this.evicted = this.rows.shift();
    }
  }
}

/** As one text each: an `expect` for every key would take longer than all the rest. */
function expectSame(window: KeyWindow, list: ListWindow, keys: number): void {
  const known = new Map(list.rows.map(({ n, revision, at }) => [n, { fingerprint: hex(n, 16), revision, at }]));
  const { evicted } = list;
  const all = Array.from({ length: keys }, (_, n) => n);
  const found = [all.map((n) => window.find(hashOf(n))), window.size, window.evicted];
  const expected = [
    all.map((n) => known.get(n)),
    list.rows.length,
    evicted && { revision: evicted.revision, at: evicted.at },
  ];
  expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
}

type Act = { do: 'add'; waitMs: number } | { do: 'commit' } | { do: 'rollback' } | { do: 'restore' };
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('add' as const), waitMs: fc.constantFrom(0, 1, 5, 40) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('commit' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rollback' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
);

test('the window is the list, whatever is added, made durable, taken back or restored', () => {
  fc.assert(
    fc.property(fc.array(anyAct, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 6 }), (acts, max) => {
      let window = new KeyWindow(max, 50);
      let list = new ListWindow(max, 50);
      let durable = structuredClone(list.rows);
      let durableEvicted: Row | undefined;
      let now = 0;
      let keys = 0;
      const undo = new UndoLog();
      for (const act of acts) {
        if (act.do === 'add') {
          now += act.waitMs;
          window.add(keyOf(keys), keys, now, undo);
          list.add({ n: keys, revision: keys, at: now });
          keys++;
        } else {
          if (act.do === 'rollback') {
            undo.rollback();
            list = new ListWindow(max, 50);
            list.rows = structuredClone(durable);
            list.evicted = durableEvicted;
          }
          undo.forget(undo.length);
          if (act.do !== 'rollback') window.settle();
          if (act.do === 'restore') window = KeyWindow.restore(structuredClone(window.snapshot()), max, 50);
          durable = structuredClone(list.rows);
          durableEvicted = list.evicted;
        }
        expectSame(window, list, keys);
      }
    }),
    { numRuns: 60 },
  );
});

test('what is evicted but not yet durable can be taken back after earlier evictions were let go', () => {
  const window = new KeyWindow(3, 1_000);
  const undo = new UndoLog();
  for (let n = 0; n < 5; n++) window.add(keyOf(n), n, n, undefined);
  const durable = window.evictions;
  for (let n = 5; n < 9; n++) window.add(keyOf(n), n, n, undo);
  window.settle(durable);
  undo.rollback();
  expect([0, 1, 2, 3, 4, 5, 6].map((n) => window.find(hashOf(n))?.revision)).toEqual([
    undefined,
    undefined,
    2,
    3,
    4,
    undefined,
    undefined,
  ]);
  expect(window.evicted).toEqual({ revision: 1, at: 1 });
});

test('a key that takes the last free row leaves the oldest one, which follows it, as it was', () => {
  const rows = 1_024;
  const window = new KeyWindow(rows - 1, 10_000);
  const undo = new UndoLog();
  for (let n = 0; n < rows; n++) window.add(keyOf(n), n, n, undefined);
  window.add(keyOf(rows), rows, rows, undo);
  expect(window.find(hashOf(1))).toBeUndefined();
  undo.rollback();
  expect(window.find(hashOf(1))).toEqual({ fingerprint: hex(1, 16), revision: 1, at: 1 });
  expect(window.find(hashOf(rows))).toBeUndefined();
});

test.each([1_024, 2_048, 4_096])(
  'a window whose %i rows are all taken says of an unknown key that it is none',
  (rows) => {
    const window = new KeyWindow();
    for (let n = 0; n < rows; n++) window.add(keyOf(n), n, n, undefined);
    expect(window.find(hashOf(rows))).toBeUndefined();
    expect(window.find(hashOf(rows - 1))?.revision).toBe(rows - 1);
  },
);

test('a key for which the window grew can be taken back', () => {
  const rows = 1_024;
  const window = new KeyWindow();
  const undo = new UndoLog();
  for (let n = 0; n < rows; n++) window.add(keyOf(n), n, n, undefined);
  window.add(keyOf(rows), rows, rows, undo);
  expect(window.find(hashOf(rows))?.revision).toBe(rows);
  undo.rollback();
  expect(window.find(hashOf(rows))).toBeUndefined();
  expect(window.find(hashOf(0))?.revision).toBe(0);
});

test('a key is one change, and another one where keys fall out for it', () => {
  const window = new KeyWindow(2, 1_000);
  const undo = new UndoLog();
  const changes = [0, 1, 2].map((n) => {
    window.add(keyOf(n), n, n, undo);
    return undo.length;
  });
  expect(changes).toEqual([1, 2, 4]);
});

test('a key inside the window cannot be let go', () => {
  const window = new KeyWindow();
  window.add(keyOf(0), 0, 0, undefined);
  expect(() => window.settle(1)).toThrow(new LedgerInvariantError('a key inside the window cannot be let go'));
  window.settle(0);
  expect(window.find(keyOf(0).hash)).toBeDefined();
});

test('keys whose hashes differ in one place only are different keys', () => {
  const window = new KeyWindow();
  const hashes = [0, 8, 16, 24, 31].map((place) => `${'0'.repeat(place)}7${'0'.repeat(31 - place)}`);
  hashes.forEach((hash, n) => window.add({ hash, fingerprint: hex(n, 16) }, n, n, undefined));
  expect(hashes.map((hash) => window.find(hash)?.revision)).toEqual([0, 1, 2, 3, 4]);
  expect(window.find('0'.repeat(32))).toBeUndefined();
});

test('a window of more keys than a new one has room for is restored whole', () => {
  const count = 5_000;
  const window = new KeyWindow();
  for (let n = 0; n < count; n++)
    window.add({ hash: hex(n, 8) + hex(n, 24), fingerprint: hex(n, 16) }, n, n, undefined);
  const restored = KeyWindow.restore(window.snapshot());
  expect(restored.size).toBe(count);
  for (let n = 0; n < count; n += 7) {
    expect(restored.find(hex(n, 8) + hex(n, 24))).toEqual({ fingerprint: hex(n, 16), revision: n, at: n });
  }
});

test('a key stays for exactly the window’s time', () => {
  const window = new KeyWindow();
  window.add(keyOf(1), 1, START_MS, undefined);
  window.add(keyOf(2), 2, START_MS + KEY_WINDOW_MS, undefined);
  expect(window.find(hashOf(1))).toBeDefined();
  window.add(keyOf(3), 3, START_MS + KEY_WINDOW_MS + 1, undefined);
  expect(window.find(hashOf(1))).toBeUndefined();
  expect(window.find(hashOf(2))).toBeDefined();
});

describe('the index, which rows enter when they are first searched for', () => {
  const find = (window: KeyWindow, n: number) => window.find(hashOf(n))?.revision;
  const addAll = (window: KeyWindow, from: number, to: number, undo?: UndoLog) => {
    for (let n = from; n < to; n++) window.add(keyOf(n), n, n, undo);
  };

  test('holds those in the window alone, however many came and went', () => {
    const window = new KeyWindow(10, 1_000_000);
    const known: (number | undefined)[] = [];
    addAll(window, 0, 10);
    // More of them than the index has places.
    for (let n = 10; n < 5_000; n++) {
      addAll(window, n, n + 1);
      known.push(find(window, n), find(window, n - 9), find(window, n - 10));
    }
    expect(known).toEqual(Array.from({ length: 4_990 }, (_, at) => [at + 10, at + 1, undefined]).flat());
  });

  test('grows with the window, and still has the rows that it had and gets those that it had not', () => {
    const window = new KeyWindow(5_000, 1_000_000);
    addAll(window, 0, 900);
    find(window, 0);
    addAll(window, 900, 3_000);
    const all = Array.from({ length: 3_000 }, (_, n) => n);
    expect(all.map((n) => find(window, n))).toEqual(all);
  });

  test('has each row once, so that one which is taken back is gone', () => {
    const window = new KeyWindow(5_000, 1_000_000);
    const undo = new UndoLog();
    addAll(window, 0, 900);
    find(window, 0);
    addAll(window, 900, 1_500, undo);
    expect(find(window, 1_499)).toBe(1_499);
    undo.rollback();
    const all = Array.from({ length: 1_500 }, (_, n) => n);
    expect(all.map((n) => find(window, n))).toEqual(all.map((n) => (n < 900 ? n : undefined)));
  });

  test('misses nothing of a row that is taken back before anybody searched for it', () => {
    const window = new KeyWindow(10, 1_000_000);
    const undo = new UndoLog();
    addAll(window, 0, 2);
    expect(find(window, 1)).toBe(1);
    addAll(window, 2, 3, undo);
    undo.rollback();
    expect([0, 1, 2].map((n) => find(window, n))).toEqual([0, 1, undefined]);
  });
});

describe('judging a key', () => {
  const at = (ms: number) => START_MS + ms;
  const state = () => {
    const run = new LedgerRun(new LedgerState(new KeyWindow(2, 10_000_000)));
    [1, 2, 3].forEach((n) => {
      run.now = at(n * 100_000);
      run.execute({ type: 'GrantNova', userId: 'ann', adminId: 'admin', amount: 1n }, keyOf(n));
    });
    return run.state;
  };
  const unknown = keyOf(99);

  test('before anything was evicted every unknown key is new', () => {
    expect(judgeKey(new LedgerState(), { ...unknown, madeAt: undefined })).toEqual({ status: 'new' });
  });

  test('in the window: a repeat, or reused with another body', () => {
    expect(judgeKey(state(), { ...keyOf(3), madeAt: undefined })).toEqual({ status: 'repeat', revision: 2 });
    expect(judgeKey(state(), { ...keyOf(3), fingerprint: hex(9, 16), madeAt: undefined })).toEqual({
      status: 'reused',
    });
  });

  test('a key that was evicted, or is from facts, must be looked up where the window does not reach', () => {
    expect(judgeKey(state(), { ...keyOf(1), madeAt: at(100_000) })).toEqual({ status: 'look-up', mustReach: 0 });
    expect(judgeKey(state(), { ...unknown, madeAt: undefined })).toEqual({ status: 'look-up', mustReach: 0 });
  });

  test('a key made more than the clock’s skew after the newest eviction is new', () => {
    expect(judgeKey(state(), { ...unknown, madeAt: at(160_000) })).toEqual({ status: 'look-up', mustReach: 0 });
    expect(judgeKey(state(), { ...unknown, madeAt: at(160_001) })).toEqual({ status: 'new' });
  });

  test('an eviction that was taken back asks for no look-up', () => {
    const run = new LedgerRun(new LedgerState(new KeyWindow(1, 10_000_000)));
    run.execute({ type: 'GrantNova', userId: 'ann', adminId: 'admin', amount: 1n }, keyOf(1));
    const undo = new UndoLog();
    run.state.attach(undo);
    run.execute({ type: 'GrantNova', userId: 'ann', adminId: 'admin', amount: 1n }, keyOf(2));
    expect(judgeKey(run.state, { ...keyOf(1), madeAt: undefined })).toEqual({ status: 'look-up', mustReach: 0 });
    undo.rollback();
    expect(judgeKey(run.state, { ...keyOf(1), madeAt: undefined })).toEqual({ status: 'repeat', revision: 0 });
    expect(judgeKey(run.state, { ...keyOf(2), madeAt: undefined })).toEqual({ status: 'new' });
  });
});
