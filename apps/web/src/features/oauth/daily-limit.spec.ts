import { expect, it } from '@jest/globals';
import { readDailyLimit } from './daily-limit';

it.each([
  ['0', 0],
  ['5,000', 5_000],
  ['1 000 000', 1_000_000],
  ['0.25', 0.25],
  ['1000000.01', null],
  ['-1', null],
  ['', null],
  ['lots', null],
])('%p reads %p', (text, limit) => expect(readDailyLimit(text)).toBe(limit));
