import { ApiProperty } from '@nestjs/swagger';
import {
  type AffinityScores,
  CURRENT_TRAITS,
  IDEAL_TRAITS,
  RESONANCE_HORIZONS,
  type ResonanceHorizon,
} from '@app/domain';
import type { StoredResonance } from './resonance-store.js';

/** A Resonance profile (rule resonance-1). Scores are 0 to 100 with at most one decimal. */
export class ResonanceDto implements AffinityScores {
  @ApiProperty({ enum: RESONANCE_HORIZONS })
  horizon: ResonanceHorizon;
  empathy: number;
  openness: number;
  conscientiousness: number;
  agreeableness: number;
  extraversion: number;
  emotionalStability: number;
  assertiveness: number;
  activeListening: number;
  adaptability: number;
  authenticity: number;
  respectfulness: number;
  curiosity: number;
  patience: number;
  optimism: number;
  humility: number;
  @ApiProperty({ enum: CURRENT_TRAITS, isArray: true })
  currentTraits: readonly string[];
  @ApiProperty({ enum: IDEAL_TRAITS, isArray: true })
  idealTraits: readonly string[];
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

export const toResonanceDto = ({ scores, updatedAt, ...rest }: StoredResonance): ResonanceDto => ({
  ...scores,
  ...rest,
  updatedAt: updatedAt.toISOString(),
});
