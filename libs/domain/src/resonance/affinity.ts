import { AFFINITY_SCALES, AFFINITY_STEPS } from './affinity-scales.js';

/** Sliders run 0 to 100 in tenths and start in the middle (rule resonance-2). */
export const AFFINITY_SCORE_MIN = 0;
export const AFFINITY_SCORE_MAX = 100;
export const AFFINITY_SCORE_STEP = 0.1;
export const AFFINITY_SCORE_DEFAULT = 50;

/** The fifteen traits of a Resonance profile as a person reads them, in the order of rule resonance-2, in which scores are stored. */
export const AFFINITY_TITLES = {
  empathy: 'Empathy',
  openness: 'Openness',
  conscientiousness: 'Conscientiousness',
  agreeableness: 'Agreeableness',
  extraversion: 'Extraversion',
  emotionalStability: 'Emotional Stability',
  assertiveness: 'Assertiveness',
  activeListening: 'Active Listening',
  adaptability: 'Adaptability',
  authenticity: 'Authenticity',
  respectfulness: 'Respectfulness',
  curiosity: 'Curiosity',
  patience: 'Patience',
  optimism: 'Optimism',
  humility: 'Humility',
} as const;

export type AffinityTrait = keyof typeof AFFINITY_TITLES;

/** A score of 0 to 100 for each trait, one decimal at most. */
export type AffinityScores = Readonly<Record<AffinityTrait, number>>;

export const AFFINITY_TRAITS = Object.keys(AFFINITY_TITLES) as readonly AffinityTrait[];

/** The scores that `scoreOf` gives, one for each trait. */
export const affinityScores = (scoreOf: (trait: AffinityTrait) => number): AffinityScores =>
  Object.fromEntries(AFFINITY_TRAITS.map((trait) => [trait, scoreOf(trait)])) as AffinityScores;

/** The word for a score on its trait's scale: the value divided by ten and rounded (rule resonance-3). */
export function descriptorOf(trait: AffinityTrait, score: number): string {
  const step = Math.min(Math.max(Math.round(score / 10), 0), AFFINITY_STEPS - 1);
  return AFFINITY_SCALES[trait][step] ?? 'Balanced';
}

const SCORE_TEXT = /^\d{1,3}(\.\d0*)?$/;

/**
 * A score as a client sends it or a person types it, as a number or as decimal text (rule resonance-2).
 * @returns null for anything but 0 to 100 with one decimal at most, zeros after it aside
 */
export function parseAffinityScore(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim();
  if (!SCORE_TEXT.test(text)) return null;
  const score = Number(text);
  return score <= AFFINITY_SCORE_MAX ? score : null;
}
