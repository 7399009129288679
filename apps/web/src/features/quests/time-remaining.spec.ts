import { expect, it } from '@jest/globals';
import { timeRemaining } from './time-remaining';

const NOW = Date.parse('2026-03-01T12:00:00Z');

it.each([
  ['2026-03-01T11:59:59Z', 'Expired'],
  ['2026-03-01T12:00:00Z', 'Expired'],
  ['2026-03-01T12:00:30Z', '0h 0m'],
  ['2026-03-01T12:59:59Z', '0h 59m'],
  ['2026-03-02T11:12:00Z', '23h 12m'],
  ['2026-03-02T12:00:00Z', '1d 0h'],
  ['2026-03-08T17:59:00Z', '7d 5h'],
])('until %s it is %s', (end, text) => expect(timeRemaining(end, NOW)).toBe(text));
