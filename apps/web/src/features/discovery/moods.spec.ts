import { expect, test } from '@jest/globals';
import { moodOf } from './moods';

test('an unknown mood is the default one', () => {
  expect(moodOf('red').meaning).toBe('Love / Passion');
  expect(moodOf('neutral')).toBe(moodOf('blue'));
});
