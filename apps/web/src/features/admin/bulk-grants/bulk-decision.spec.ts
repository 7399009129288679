import { expect, test } from '@jest/globals';
import { canBeSent, isSpoilt } from './bulk-decision';
import type { BulkBatch, BulkMode, BulkVerdict } from './use-bulk-grants';

const verdict = (given: Partial<BulkVerdict>): BulkVerdict => ({
  rows: [],
  acceptable: 2,
  refused: 0,
  total: 5,
  appliedBefore: null,
  ...given,
});

const batch = (finished: boolean): BulkBatch => ({
  batchId: 'b',
  admin: { id: 'a', displayName: 'Root' },
  mode: 'atomic',
  createdAt: '2026-10-01T00:00:00.000Z',
  finished,
  rows: 2,
  granted: 0,
  total: 0,
});

test.each<[string, Partial<BulkVerdict>, BulkMode, boolean, boolean]>([
  ['all rows', {}, 'atomic', false, true],
  ['one row of two, all or none', { acceptable: 1, refused: 1 }, 'atomic', false, false],
  ['one row of two', { acceptable: 1, refused: 1 }, 'each', false, true],
  ['no row', { acceptable: 0, refused: 2 }, 'each', false, false],
  ['a file that was granted', { appliedBefore: batch(true) }, 'atomic', false, false],
  ['a file that was granted, once more', { appliedBefore: batch(true) }, 'atomic', true, true],
  ['a batch that was begun', { acceptable: 1, refused: 1, appliedBefore: batch(false) }, 'atomic', false, true],
  [
    'a batch that was begun, of no row',
    { acceptable: 0, refused: 2, appliedBefore: batch(false) },
    'each',
    false,
    true,
  ],
])('%s can be sent or cannot', (_, given, mode, again, canBe) => {
  expect(canBeSent(verdict(given), { mode, again })).toBe(canBe);
});

test('one row keeps the others back only where all or none are granted, and nothing was begun', () => {
  const [one, begun] = [verdict({ refused: 1 }), verdict({ refused: 1, appliedBefore: batch(false) })];
  expect([isSpoilt(one, 'atomic'), isSpoilt(one, 'each'), isSpoilt(begun, 'atomic')]).toEqual([true, false, false]);
});
