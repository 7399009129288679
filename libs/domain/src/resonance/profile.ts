import type { AffinityScores } from './affinity.js';

/** How far ahead a member looks for a connection (rule resonance-1). */
export const RESONANCE_HORIZONS = ['short_term', 'midterm', 'long_term'] as const;
export type ResonanceHorizon = (typeof RESONANCE_HORIZONS)[number];

/** A member's personality as they told it; what compatibility is made from. */
export interface ResonanceProfile {
  readonly horizon: ResonanceHorizon;
  readonly scores: AffinityScores;
  /** From `CURRENT_TRAITS`, each once. */
  readonly currentTraits: readonly string[];
  /** From `IDEAL_TRAITS`, each once. */
  readonly idealTraits: readonly string[];
}
