import {
  AFFINITY_SCORE_DEFAULT,
  AFFINITY_SCORE_MAX,
  AFFINITY_SCORE_MIN,
  AFFINITY_TRAITS,
  affinityScores,
  CHARACTER_TRAITS_MAX,
  type AffinityScores,
  type ResonanceHorizon,
} from '@app/domain';
import type { Schemas } from '@/shared/api';

/** A profile while it is edited: like the stored one, except that the horizon may still be open. */
export interface ResonanceDraft {
  horizon: ResonanceHorizon | null;
  scores: AffinityScores;
  currentTraits: Resonance['currentTraits'];
  idealTraits: Resonance['idealTraits'];
}

/** `GET /api/resonance`. */
export type Resonance = Schemas['ResonanceDto'];

/** The form's initial values: the stored profile, or all scores in the middle and no horizon (rule resonance-5). */
export function draftOf(stored: Resonance | null): ResonanceDraft {
  if (stored === null) {
    return { horizon: null, scores: affinityScores(() => AFFINITY_SCORE_DEFAULT), currentTraits: [], idealTraits: [] };
  }
  const { horizon, currentTraits, idealTraits } = stored;
  return { horizon, scores: affinityScores((trait) => stored[trait]), currentTraits, idealTraits };
}

/** Whether saving would change nothing. The order in which words were chosen does not matter. */
export function isSameDraft(a: ResonanceDraft, b: ResonanceDraft): boolean {
  return (
    a.horizon === b.horizon &&
    AFFINITY_TRAITS.every((trait) => a.scores[trait] === b.scores[trait]) &&
    isSameSet(a.currentTraits, b.currentTraits) &&
    isSameSet(a.idealTraits, b.idealTraits)
  );
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word) => b.includes(word));

/**
 * A number from 0 to 100, rounded to the nearest tenth; null for any other text, which changes nothing (rule
 * resonance-6).
 */
export function readScore(text: string): number | null {
  const trimmed = text.trim();
  const score = Number(trimmed);
  if (trimmed === '' || !(score >= AFFINITY_SCORE_MIN && score <= AFFINITY_SCORE_MAX)) return null;
  return Math.round(score * 10) / 10;
}

/** The chosen words in the order of the options; null if there is one too many. */
export function readSelection<T extends string>(options: readonly T[], chosen: readonly string[]): T[] | null {
  if (chosen.length > CHARACTER_TRAITS_MAX) return null;
  return options.filter((word) => chosen.includes(word));
}
