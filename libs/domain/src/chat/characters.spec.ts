import { countCharacters, countNonBlank } from './characters.js';

test.each([
  ['', 0, 0],
  ['  \n\t ', 0, 0],
  [' a b ', 3, 2],
  ['👩‍🚀', 3, 3],
  ['e\u0301', 2, 2],
  [' ab ', 2, 2],
])('%j has %d characters, %d of them not blank', (text, characters, nonBlank) => {
  expect(countCharacters(text)).toBe(characters);
  expect(countNonBlank(text)).toBe(nonBlank);
});
