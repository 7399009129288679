import { expect, test } from '@jest/globals';
import { MOODS, moodOf } from './moods';

test('an unknown mood is the default one', () => {
  expect(moodOf('red').meaning).toBe('Love / Passion');
  expect(moodOf('neutral')).toBe(moodOf('blue'));
  expect(moodOf('constructor')).toBe(moodOf('blue'));
});

test('there are the seven of the rainbow, in its order', () => {
  expect(MOODS.map(({ name }) => name)).toEqual(['red', 'orange', 'yellow', 'green', 'blue', 'indigo', 'violet']);
});
