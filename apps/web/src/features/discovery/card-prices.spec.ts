import { expect, test } from '@jest/globals';
import { NAVIGATE_NOVA, UPVOTE_NOVA, wallCommentNova } from './card-prices';

test('a comment costs 25 Nova for each started 15 characters', () => {
  const priceOf = (length: number) => wallCommentNova('x'.repeat(length));
  expect([0, 1, 15, 16, 30, 31, 90, 91, 100].map(priceOf)).toEqual([0, 25, 25, 50, 50, 75, 150, 175, 175]);
});

test('blanks around a comment are free, and an emoji is one character', () => {
  expect(wallCommentNova('   ')).toBe(0);
  expect(wallCommentNova(`  ${'x'.repeat(15)}  `)).toBe(25);
  expect(wallCommentNova('🌟'.repeat(15))).toBe(25);
});

test('an upvote and a step cost 50 Nova', () => {
  expect([UPVOTE_NOVA, NAVIGATE_NOVA]).toEqual([50, 50]);
});
