import * as fc from 'fast-check';
import { fourDigits } from './hex.js';

const DIGITS = Array.from('0123456789abcdef');
const NO_DIGITS = Array.from('/:`gAF-ı\0\uFF10\uFFFF');

/** Digits, what stands beside them in the character tables, and anything else. */
const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...DIGITS) },
  { weight: 1, arbitrary: fc.constantFrom(...NO_DIGITS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }) },
);
const anyText = fc.array(character, { minLength: 1, maxLength: 12 }).map((characters) => characters.join(''));

test('four digits in lower case are their number, anything else is below zero', () => {
  fc.assert(
    fc.property(anyText, fc.nat(12), (text, at) => {
      const four = text.slice(at, at + 4);
      const isNumber = /^[0-9a-f]{4}$/.test(four);
      expect(Math.max(fourDigits(text, at), -1)).toBe(isNumber ? Number.parseInt(four, 16) : -1);
    }),
    { numRuns: 1_000 },
  );
});

test.each([0, 1, 2, 3])('every digit counts in place %i', (place) => {
  for (const digit of DIGITS) {
    const text = '0'.repeat(place) + digit + '0'.repeat(3 - place);
    expect(fourDigits(text, 0)).toBe(Number.parseInt(text, 16));
  }
});

test.each(['', '0', '01', '012'])('"%s" ends before its fourth digit', (text) => {
  expect(fourDigits(text, 0)).toBeLessThan(0);
  expect(fourDigits(`abcd${text}`, 4)).toBeLessThan(0);
});
