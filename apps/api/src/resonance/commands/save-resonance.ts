import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import {
  AFFINITY_SCORE_DEFAULT,
  affinityScores,
  CURRENT_TRAITS,
  IDEAL_TRAITS,
  RESONANCE_HORIZONS,
  type ResonanceHorizon,
} from '@app/domain';
import { IsIn } from 'class-validator';
import { AffinityScore } from '../affinity-score.js';
import { CharacterTraits } from '../character-traits.js';
import { type ResonanceDto, toResonanceDto } from '../resonance.dto.js';
import { ResonanceStore } from '../resonance-store.js';

/** `POST /api/resonance` (rule resonance-5). What is absent is what a new profile starts with. */
export class ResonanceDraftDto {
  @ApiProperty({ enum: RESONANCE_HORIZONS })
  @IsIn(RESONANCE_HORIZONS, {
    message: 'The horizon must be short_term, midterm or long_term.',
    context: { code: 'INVALID_HORIZON' },
  })
  horizon: ResonanceHorizon;

  @AffinityScore('empathy')
  empathy: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('openness')
  openness: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('conscientiousness')
  conscientiousness: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('agreeableness')
  agreeableness: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('extraversion')
  extraversion: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('emotionalStability')
  emotionalStability: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('assertiveness')
  assertiveness: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('activeListening')
  activeListening: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('adaptability')
  adaptability: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('authenticity')
  authenticity: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('respectfulness')
  respectfulness: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('curiosity')
  curiosity: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('patience')
  patience: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('optimism')
  optimism: number = AFFINITY_SCORE_DEFAULT;

  @AffinityScore('humility')
  humility: number = AFFINITY_SCORE_DEFAULT;

  @CharacterTraits('current', CURRENT_TRAITS)
  currentTraits: string[] = [];

  @CharacterTraits('ideal', IDEAL_TRAITS)
  idealTraits: string[] = [];
}

export class SaveResonance extends Command<ResonanceDto> {
  constructor(
    readonly userId: string,
    readonly draft: ResonanceDraftDto,
  ) {
    super();
  }
}

/** Puts the whole profile in place of the one before (rule resonance-5). */
@CommandHandler(SaveResonance)
export class SaveResonanceHandler implements ICommandHandler<SaveResonance> {
  constructor(private readonly profiles: ResonanceStore) {}

  async execute({ userId, draft }: SaveResonance): Promise<ResonanceDto> {
    const { horizon, currentTraits, idealTraits } = draft;
    const scores = affinityScores((trait) => draft[trait]);
    return toResonanceDto(await this.profiles.save(userId, { horizon, scores, currentTraits, idealTraits }));
  }
}
