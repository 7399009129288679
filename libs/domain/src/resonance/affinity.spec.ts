import { AFFINITY_TRAITS, affinityScores, descriptorOf, parseAffinityScore } from './affinity.js';
import { AFFINITY_SCALES, AFFINITY_STEPS } from './affinity-scales.js';

test('the traits stand in the order in which their scores are stored, and each has a score', () => {
  expect(AFFINITY_TRAITS).toEqual([
    'empathy',
    'openness',
    'conscientiousness',
    'agreeableness',
    'extraversion',
    'emotionalStability',
    'assertiveness',
    'activeListening',
    'adaptability',
    'authenticity',
    'respectfulness',
    'curiosity',
    'patience',
    'optimism',
    'humility',
  ]);
  const scores = affinityScores((trait) => trait.length);
  expect(Object.keys(scores)).toEqual(AFFINITY_TRAITS);
  expect(scores).toMatchObject({ empathy: 7, emotionalStability: 18, humility: 8 });
});

test.each(AFFINITY_TRAITS)('the scale of %s has eleven different words with Balanced in the middle', (trait) => {
  const scale = AFFINITY_SCALES[trait];
  expect(new Set(scale).size).toBe(AFFINITY_STEPS);
  expect(scale).toHaveLength(AFFINITY_STEPS);
  expect(scale[5]).toBe('Balanced');
});

test.each([
  [0, 'Cold'],
  [4.9, 'Cold'],
  [5, 'Detached'],
  [44.9, 'Sympathetic'],
  [45, 'Balanced'],
  [54.9, 'Balanced'],
  [55, 'Caring'],
  [94.9, 'Nurturing'],
  [95, 'Deeply empathetic'],
  [100, 'Deeply empathetic'],
])('empathy of %d reads %s', (score, word) => {
  expect(descriptorOf('empathy', score)).toBe(word);
});

test('a score beyond the scale reads as its end', () => {
  expect(descriptorOf('humility', -20)).toBe('Arrogant');
  expect(descriptorOf('humility', 1_000)).toBe('Deeply humble');
});

test.each<[unknown, number]>([
  [0, 0],
  [100, 100],
  [72.5, 72.5],
  ['72.5', 72.5],
  [' 050.0 ', 50],
  ['100.0', 100],
  ['50.00', 50],
  ['72.500', 72.5],
])('%j is a score of %d', (value, score) => {
  expect(parseAffinityScore(value)).toBe(score);
});

test.each<[unknown]>([
  [100.01],
  [100.1],
  ['100.1'],
  [72.55],
  ['72.55'],
  ['72.'],
  [-0.1],
  ['-1'],
  ['abc'],
  [''],
  [' '],
  ['.5'],
  ['1e1'],
  ['0x10'],
  ['7,5'],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [null],
  [undefined],
  [true],
  [[50]],
])('%j is no score', (value) => {
  expect(parseAffinityScore(value)).toBeNull();
});
