import { expect, it } from '@jest/globals';
import { lineTrouble, messageNote } from './message-note';

it.each([
  [201, 'Enter sends, Shift+Enter begins a new line.'],
  [200, '200 characters left.'],
  [1, '1 character left.'],
  [0, '0 characters left.'],
  [-1, '1 character too many: a message holds 2,000.'],
  [-1_234, '1,234 characters too many: a message holds 2,000.'],
])('counts the last characters of a message: %d', (left, note) => {
  expect(messageNote(left)).toBe(note);
});

it('tells no network from a lost connection', () => {
  expect(lineTrouble(false)).toMatch(/^You are offline/);
  expect(lineTrouble(true)).toMatch(/^Connecting/);
});
