import { CURRENT_TRAITS, IDEAL_TRAITS } from './character.js';

test.each([
  ['current', CURRENT_TRAITS, 'Ambitious', 'Tolerant'],
  ['ideal', IDEAL_TRAITS, 'Accomplished', 'Wholehearted'],
] as const)('there are forty different words for the %s self', (_name, words, first, last) => {
  expect(words).toHaveLength(40);
  expect(new Set(words).size).toBe(40);
  expect(words[0]).toBe(first);
  expect(words.at(-1)).toBe(last);
});
