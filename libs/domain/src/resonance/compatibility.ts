import { AFFINITY_TRAITS, type AffinityScores } from './affinity.js';
import type { ResonanceProfile } from './profile.js';

/** The weight of each part, in percent (rule discovery-11). */
const AFFINITY_PERCENT = 70;
const IDEALS_PERCENT = 20;
const HORIZON_PERCENT = 10;

/** Fifteen traits that may each differ by a hundred points, counted in tenths. */
const DISTANCE_TENTHS_MAX = AFFINITY_TRAITS.length * 1_000;

/**
 * How well another member fits me, 0 to 100 in whole numbers (rule discovery-11). My ideals are held against what
 * they are, so the two of us may see different numbers.
 * @returns null without both profiles
 */
export function compatibility(
  mine: ResonanceProfile | null | undefined,
  theirs: ResonanceProfile | null | undefined,
): number | null {
  if (!mine || !theirs) return null;
  const theirTraits = new Set(theirs.currentTraits);
  const met = mine.idealTraits.filter((trait) => theirTraits.has(trait)).length;
  const ideals = Math.max(mine.idealTraits.length, 1);
  const horizon = mine.horizon === theirs.horizon ? HORIZON_PERCENT : 0;
  // Over one denominator, so that a half is exactly a half when it is rounded.
  const sum =
    (AFFINITY_PERCENT + horizon) * DISTANCE_TENTHS_MAX * ideals -
    AFFINITY_PERCENT * distanceTenths(mine.scores, theirs.scores) * ideals +
    IDEALS_PERCENT * met * DISTANCE_TENTHS_MAX;
  return Math.round(sum / (DISTANCE_TENTHS_MAX * ideals));
}

const distanceTenths = (mine: AffinityScores, theirs: AffinityScores): number =>
  AFFINITY_TRAITS.reduce(
    (sum, trait) => sum + Math.abs(Math.round(mine[trait] * 10) - Math.round(theirs[trait] * 10)),
    0,
  );
