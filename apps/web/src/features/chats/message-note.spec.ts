import { expect, it } from '@jest/globals';
import { messageNote } from './message-note';

it.each([
  [201, 'Enter sends, Shift+Enter begins a new line.'],
  [200, '200 characters left.'],
  [1, '1 character left.'],
  [0, '0 characters left.'],
  [-1, '1 character too many: a message holds 2,000.'],
  [-1_234, '1,234 characters too many: a message holds 2,000.'],
])('counts the last characters of a message: %d', (left, note) => {
  expect(messageNote(true, left)).toBe(note);
});

it('tells of a lost connection, but not in the place of what must be mended before sending', () => {
  expect(messageNote(false, 100)).toMatch(/^Not connected/);
  expect(messageNote(false, -2)).toMatch(/^2 characters too many/);
});
