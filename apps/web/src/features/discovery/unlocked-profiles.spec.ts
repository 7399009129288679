import { expect, test } from '@jest/globals';
import { readUnlocked, withUnlocked } from './unlocked-profiles';

test('keeps the newest first, each once', () => {
  const stored = ['ada', 'ben', 'ada'].reduce<string | null>(withUnlocked, null);
  expect(readUnlocked(stored)).toEqual(['ada', 'ben']);
});

test('what is not a list of ids is as good as nothing', () => {
  expect(['{', 'null', '{"a":1}', '"ada"'].map(readUnlocked)).toEqual([[], [], [], []]);
  expect(readUnlocked('["ada",7,null]')).toEqual(['ada']);
});

test('does not grow for ever', () => {
  const stored = Array.from({ length: 600 }, (_, index) => `member-${index}`).reduce<string | null>(withUnlocked, null);
  expect(readUnlocked(stored)).toHaveLength(500);
  expect(readUnlocked(stored)[0]).toBe('member-599');
});
