import { describe, expect, test } from '@jest/globals';
import { affinityScores, CURRENT_TRAITS } from '@app/domain';
import { draftOf, isSameDraft, readScore, readSelection, type Resonance, type ResonanceDraft } from './resonance-draft';

const stored: Resonance = {
  horizon: 'midterm',
  ...affinityScores(() => 62.5),
  currentTraits: ['Calm', 'Honest'],
  idealTraits: ['Wise'],
  updatedAt: '2026-01-01T00:00:00.000Z',
};

test('without a stored profile every slider stands at 50 and there is no horizon', () => {
  expect(draftOf(null)).toEqual({
    horizon: null,
    scores: affinityScores(() => 50),
    currentTraits: [],
    idealTraits: [],
  });
});

test('a stored profile fills the form', () => {
  expect(draftOf(stored)).toEqual({
    horizon: 'midterm',
    scores: affinityScores(() => 62.5),
    currentTraits: ['Calm', 'Honest'],
    idealTraits: ['Wise'],
  });
});

describe('a draft differs from the stored one', () => {
  const draft = draftOf(stored);
  test.each<[string, Partial<ResonanceDraft>]>([
    ['by its horizon', { horizon: 'long_term' }],
    ['by one score', { scores: { ...draft.scores, humility: 62.6 } }],
    ['by a word more', { currentTraits: ['Calm', 'Honest', 'Loyal'] }],
    ['by another word', { idealTraits: ['Kind'] }],
  ])('%s', (_how, change) => {
    expect(isSameDraft({ ...draft, ...change }, draft)).toBe(false);
  });

  test('but not by the order of its words', () => {
    expect(isSameDraft({ ...draft, currentTraits: ['Honest', 'Calm'] }, draft)).toBe(true);
  });
});

test.each([
  ['0', 0],
  ['100', 100],
  [' 72.5 ', 72.5],
  ['33.33', 33.3],
  ['99.96', 100],
])('the box takes %j as %d', (text, score) => {
  expect(readScore(text)).toBe(score);
});

test.each(['', ' ', 'abc', '100.01', '-0.1', '1e3', 'NaN'])('the box takes %j as nothing', (text) => {
  expect(readScore(text)).toBeNull();
});

test('twenty words can be chosen, in the order of the options, and no more', () => {
  expect(readSelection(CURRENT_TRAITS, CURRENT_TRAITS.slice(0, 20).toReversed())).toEqual(CURRENT_TRAITS.slice(0, 20));
  expect(readSelection(CURRENT_TRAITS, CURRENT_TRAITS.slice(0, 21))).toBeNull();
});
