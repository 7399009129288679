import { expect, test } from '@jest/globals';
import { shortened } from './paint-text';

/** Ten pixels a character. */
const context = { measureText: (text: string) => ({ width: Array.from(text).length * 10 }) as TextMetrics };

test('a name that fits stays whole', () => {
  expect(shortened(context, 'Ada', 30)).toBe('Ada');
});

test('a long one keeps its beginning, and no character is cut in two', () => {
  expect(shortened(context, 'Adelaide', 50)).toBe('Adel…');
  expect(shortened(context, 'Ada Maria', 50)).toBe('Ada…');
  expect(shortened(context, '🦊🦊🦊🦊', 30)).toBe('🦊🦊…');
  expect(shortened(context, 'Adelaide', 5)).toBe('…');
});
