import { AFFINITY_TITLES, AFFINITY_TRAITS, type AffinityScores, type AffinityTrait } from '@app/domain';

export interface Point {
  x: number;
  y: number;
}

export interface Star extends Point {
  trait: AffinityTrait;
  title: string;
  score: number;
  /** Where the axis ends. */
  rim: Point;
  /** Where the name stands, outside the rim. */
  label: Point & { anchor: 'start' | 'middle' | 'end' };
}

/** Even at a score of 0, a star stays a little off the centre, so that fifteen stars do not merge. */
const HEART = 0.08;

/** How far out a score lies, as a share of the radius. */
export const reachOf = (score: number): number => HEART + (1 - HEART) * (score / 100);

/** A name starts or ends at its axis; straight above or below the centre, it is centred on the axis. */
const SIDE = 0.05;

/** The fifteen scores as stars around a centre, the first one at the top, then clockwise. */
export function starsOf(scores: AffinityScores, radius: number, labelRadius: number): Star[] {
  return AFFINITY_TRAITS.map((trait, index) => {
    const angle = (index / AFFINITY_TRAITS.length) * 2 * Math.PI;
    const at = (distance: number): Point => ({
      x: round(Math.sin(angle) * distance),
      y: round(-Math.cos(angle) * distance),
    });
    const score = scores[trait];
    return {
      ...at(radius * reachOf(score)),
      trait,
      title: AFFINITY_TITLES[trait],
      score,
      rim: at(radius),
      label: { ...at(labelRadius), anchor: anchorAt(Math.sin(angle)) },
    };
  });
}

/** The three brightest traits; none if nothing stands out. */
export function brightestOf(scores: AffinityScores): AffinityTrait[] {
  const descending = AFFINITY_TRAITS.toSorted((a, b) => scores[b] - scores[a]);
  return descending.slice(0, 3).filter((trait) => scores[trait] > 50);
}

export const outline = (points: readonly Point[]): string => points.map(({ x, y }) => `${x},${y}`).join(' ');

function anchorAt(sine: number): 'start' | 'middle' | 'end' {
  if (Math.abs(sine) < SIDE) return 'middle';
  return sine > 0 ? 'start' : 'end';
}

const round = (value: number): number => Math.round(value * 100) / 100;
