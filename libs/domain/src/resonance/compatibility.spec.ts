import { affinityScores } from './affinity.js';
import { compatibility } from './compatibility.js';
import type { ResonanceProfile } from './profile.js';

const profile = (score: number, more: Partial<ResonanceProfile> = {}): ResonanceProfile => ({
  horizon: 'midterm',
  scores: affinityScores(() => score),
  currentTraits: [],
  idealTraits: [],
  ...more,
});

test('without both profiles there is none', () => {
  expect(compatibility(null, profile(50))).toBeNull();
  expect(compatibility(profile(50), undefined)).toBeNull();
});

test('equal traits, equal horizon and every ideal met make a hundred', () => {
  const me = profile(50, { idealTraits: ['Honest', 'Patient'] });
  expect(compatibility(me, profile(50, { currentTraits: ['Calm', 'Patient', 'Honest'] }))).toBe(100);
});

test('opposite ends in everything make nothing', () => {
  const me = profile(0, { idealTraits: ['Honest'], horizon: 'short_term' });
  expect(compatibility(me, profile(100, { currentTraits: ['Calm'] }))).toBe(0);
});

test.each([
  ['traits that are 20 points apart', profile(40), profile(60), 66],
  ['another horizon', profile(50), profile(50, { horizon: 'long_term' }), 70],
  ['no ideals of mine, though they have traits', profile(50), profile(50, { currentTraits: ['Honest'] }), 80],
  ['one ideal of four', profile(50, { idealTraits: ['Honest', 'Kind', 'Wise', 'Brave'] }), honest(), 85],
  ['one ideal of three', profile(50, { idealTraits: ['Honest', 'Kind', 'Wise'] }), honest(), 87],
])('%s', (_case, mine, theirs, expected) => {
  expect(compatibility(mine, theirs)).toBe(expected);
});

test('a half is rounded up', () => {
  const eight = ['Honest', 'Kind', 'Wise', 'Brave', 'Loving', 'Joyful', 'Mindful', 'Grateful'];
  expect(compatibility(profile(50, { idealTraits: eight }), honest())).toBe(83);
  // 80 − 0.7 × 37.5 / 15 + 20 / 16 = 79.5
  const sixteen = [
    ...eight,
    'Creative',
    'Decisive',
    'Patient',
    'Peaceful',
    'Positive',
    'Resilient',
    'Selfless',
    'Humble',
  ];
  const apart = { ...profile(50).scores, empathy: 87.5 };
  expect(compatibility(profile(50, { idealTraits: sixteen }), { ...honest(), scores: apart })).toBe(80);
});

test('each sees the other by their own ideals', () => {
  const ada = profile(50, { currentTraits: ['Calm'], idealTraits: ['Honest'] });
  const ben = profile(50, { currentTraits: ['Honest'], idealTraits: ['Brave'] });
  expect([compatibility(ada, ben), compatibility(ben, ada)]).toEqual([100, 80]);
});

function honest(): ResonanceProfile {
  return profile(50, { currentTraits: ['Honest'] });
}
