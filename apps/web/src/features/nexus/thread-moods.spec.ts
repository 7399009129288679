import { expect, test } from '@jest/globals';
import { nodeMood } from './thread-moods';

test('a mood has its meaning and its token; neutral is one of its own', () => {
  expect(nodeMood('violet')).toMatchObject({ meaning: 'Spirituality / Inspiration', token: '--color-mood-violet' });
  expect(nodeMood('neutral')).toMatchObject({ meaning: 'Neutral', token: '--color-ink-faint' });
  expect(nodeMood('no such mood').token).toBe('--color-mood-blue');
});
