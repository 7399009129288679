import { expect, test } from '@jest/globals';
import { affinityScores, type AffinityTrait } from '@app/domain';
import { brightestOf, outline, starsOf } from './star-map-geometry';

const even = affinityScores(() => 100);

test('the first star stands at the top, the others clockwise on the rim', () => {
  const stars = starsOf(even, 100, 120);
  expect(stars).toHaveLength(15);
  expect(stars[0]).toMatchObject({ trait: 'empathy', x: 0, y: -100, label: { x: 0, y: -120, anchor: 'middle' } });
  expect(stars[3]).toMatchObject({ trait: 'agreeableness', x: 95.11, y: -30.9, label: { anchor: 'start' } });
  expect(stars[12]).toMatchObject({ trait: 'patience', x: -95.11, label: { anchor: 'end' } });
});

test('a lower score is nearer to the centre, and never in it', () => {
  const [none, middle] = starsOf({ ...even, empathy: 0, openness: 50 }, 100, 120);
  expect(none).toMatchObject({ x: 0, y: -8 });
  expect(Math.hypot(middle?.x ?? 0, middle?.y ?? 0)).toBeCloseTo(54, 1);
});

test('the brightest are the three highest above the middle', () => {
  const high: Partial<Record<AffinityTrait, number>> = { patience: 90, humility: 80, empathy: 95, openness: 60 };
  expect(brightestOf(affinityScores((trait) => high[trait] ?? 50))).toEqual(['empathy', 'patience', 'humility']);
  expect(brightestOf(affinityScores((trait) => (trait === 'curiosity' ? 50.1 : 50)))).toEqual(['curiosity']);
  expect(brightestOf(affinityScores(() => 50))).toEqual([]);
});

test('an outline is the points in SVG words', () => {
  expect(
    outline([
      { x: 0, y: -8 },
      { x: 1.5, y: 2 },
    ]),
  ).toBe('0,-8 1.5,2');
});
