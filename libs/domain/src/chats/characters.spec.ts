import fc from 'fast-check';
import { countCharacters, countNonBlank, isBlank, trimText } from './characters.js';

test.each([
  ['', 0, 0],
  ['  \n\t ', 0, 0],
  [' a b ', 3, 2],
  ['👩‍🚀', 3, 2],
  ['a\u200d\ufe0f\u{e0061}', 4, 1],
  ['e\u0301', 2, 2],
  [' ab ', 2, 2],
  ['\u2800\u2800', 0, 0],
  ['\u2800a\u2800b\u2800', 3, 2],
  ['\u3164\uffa0\u115f\u200b\ufeff', 0, 0],
])('%j has %d characters, %d of them not blank', (text, characters, nonBlank) => {
  expect(countCharacters(text)).toBe(characters);
  expect(countNonBlank(text)).toBe(nonBlank);
});

test.each([
  ['\u2800 Ada\u3164\u200b', 'Ada'],
  ['\u200d\ufe0f\u{e0061}', ''],
  ['❤\ufe0f ', '❤\ufe0f'],
  ['क्\u200d', 'क्\u200d'],
  ['\u{1d159}', ''],
  ['\n a\n\nb \n', 'a\n\nb'],
])('%j is trimmed to %j', (text, trimmed) => expect(trimText(text)).toBe(trimmed));

test('a text of blanks of whatever kind is blank, with anything to see in it it is not', () => {
  const blanks = fc.string({
    unit: fc.constantFrom(...Array.from(' \t\u00a0\u2800\u3164\u115f\u1160\uffa0\u200b\u00ad\u3000')),
  });
  fc.assert(
    fc.property(blanks, blanks, (before, after) => {
      expect([isBlank(before), trimText(before), countCharacters(before), countNonBlank(before)]).toEqual([
        true,
        '',
        0,
        0,
      ]);
      expect(countNonBlank(`${before}a${after}`)).toBe(1);
    }),
  );
});

test('trimming takes no longer than the text is long', () => {
  const text = `a${'\u2800'.repeat(100_000)}b`;
  const started = performance.now();
  expect(trimText(text)).toBe(text);
  expect(performance.now() - started).toBeLessThan(1_000);
});
