import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { GATHER_MS, ScoreNotice } from './score-notice';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function noticed() {
  const said: string[] = [];
  return { said, notice: new ScoreNotice((text) => said.push(text)) };
}

test('scores that come together are one notice', () => {
  const { said, notice } = noticed();
  notice.add(1);
  notice.add(2);
  jest.advanceTimersByTime(GATHER_MS);
  expect(said).toEqual(['+3']);
  notice.add(1);
  jest.advanceTimersByTime(GATHER_MS);
  expect(said).toEqual(['+3', '+1']);
});

test('what else there is to say comes with them', () => {
  const { said, notice } = noticed();
  notice.add(5, 'Link copied');
  jest.advanceTimersByTime(GATHER_MS);
  expect(said).toEqual(['Link copied · +5']);
});

test('no score, no notice', () => {
  const { said, notice } = noticed();
  notice.add(0, 'Link copied');
  jest.advanceTimersByTime(GATHER_MS);
  expect(said).toEqual([]);
});
