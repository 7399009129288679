import { KEY_WINDOW_MAX } from './constants.js';
import { KeyWindow } from './key-window.js';
import { LedgerState } from './state.js';
import { UndoLog } from './undo-log.js';

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');

test('after 1,060,000 keys the newest million are known, the others are not, and the memory is that of a million', () => {
  const window = new KeyWindow();
  const count = 1_060_000;
  const hash = (n: number) => hex((n * 2_654_435_761) % 2 ** 32, 8) + hex(n, 24);
  const add = (n: number, undo?: UndoLog) => window.add({ hash: hash(n), fingerprint: '0000000000000000' }, n, n, undo);
  for (let n = 0; n < count; n++) add(n);
  const find = (n: number) => window.find(hash(n))?.revision;
  expect(window.size).toBe(KEY_WINDOW_MAX);
  expect(window.evicted).toEqual({ revision: count - KEY_WINDOW_MAX - 1, at: count - KEY_WINDOW_MAX - 1 });
  for (let n = 0; n < count - KEY_WINDOW_MAX; n += 997) expect(find(n)).toBeUndefined();
  for (let n = count - KEY_WINDOW_MAX; n < count; n += 997) expect(find(n)).toBe(n);
  const { hashes, fingerprints, revisions, times } = window.snapshot();
  const bytes = [hashes, fingerprints, revisions, times].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(bytes).toBe(KEY_WINDOW_MAX * 40);

  // Keys that are evicted but not yet durable have room beside them: 48,576, then the process must stop.
  const undo = new UndoLog();
  const full = count + 48_576;
  for (let n = count; n < full; n++) add(n, undo);
  expect(() => add(full, undo)).toThrow('too many keys await their settlement');
  // The state passes on how far they are durable.
  new LedgerState(window).settleKeys(window.evictions);
  add(full, undo);
  expect([count - KEY_WINDOW_MAX, full - KEY_WINDOW_MAX, full - KEY_WINDOW_MAX + 1, full].map(find)).toEqual([
    undefined,
    undefined,
    full - KEY_WINDOW_MAX + 1,
    full,
  ]);
});
