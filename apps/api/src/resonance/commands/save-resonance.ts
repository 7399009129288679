import {
  AFFINITY_SCORE_DEFAULT,
  AFFINITY_SCORE_MAX,
  AFFINITY_SCORE_MIN,
  AFFINITY_SCORE_STEP,
  AFFINITY_TITLES,
  affinityScores,
  type AffinityTrait,
  CHARACTER_TRAITS_MAX,
  CURRENT_TRAITS,
  IDEAL_TRAITS,
  parseAffinityScore,
  RESONANCE_HORIZONS,
  type ResonanceHorizon,
} from '@app/domain';
import { applyDecorators } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, ValidateBy, type ValidationArguments } from 'class-validator';
import { ResonanceStore } from '../resonance-store.js';
import { type ResonanceDto, toResonanceDto } from '../resonance.dto.js';

const SHOWN_MAX = 40;

/** Up to twenty words of one of the two lists, each once; absent there are none (rule resonance-4). */
function CharacterTraits(name: 'current' | 'ideal', words: readonly string[]): PropertyDecorator {
  const unknown = ({ value }: ValidationArguments): string =>
    `${quoted(value, words)} is not one of the ${name} traits.`;
  return applyDecorators(
    ApiPropertyOptional({
      type: [String],
      enum: words,
      maxItems: CHARACTER_TRAITS_MAX,
      uniqueItems: true,
      default: [],
    }),
    // Only the first fault is reported.
    IsArray({ message: `The ${name} traits must be a list of words.`, context: { code: 'INVALID_TRAITS' } }),
    ArrayMaxSize(CHARACTER_TRAITS_MAX, {
      message: `You can select up to ${CHARACTER_TRAITS_MAX} ${name} traits.`,
      context: { code: 'TOO_MANY_TRAITS' },
    }),
    IsIn(words, { each: true, message: unknown, context: { code: 'UNKNOWN_TRAIT' } }),
    ArrayUnique({ message: `Each of the ${name} traits can be chosen once.`, context: { code: 'REPEATED_TRAIT' } }),
  );
}

function quoted(value: unknown, words: readonly string[]): string {
  const strange: unknown = Array.isArray(value) ? value.find((word: unknown) => !words.includes(String(word))) : value;
  if (typeof strange !== 'string') return 'One of them';
  return `"${strange.slice(0, SHOWN_MAX)}${strange.length > SHOWN_MAX ? '…' : ''}"`;
}

/** A score from 0 to 100 in tenths, as a number or as its decimal text; absent it is 50 (rule resonance-2). */
const AffinityScore = (trait: AffinityTrait): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: Number,
      minimum: AFFINITY_SCORE_MIN,
      maximum: AFFINITY_SCORE_MAX,
      multipleOf: AFFINITY_SCORE_STEP,
      default: AFFINITY_SCORE_DEFAULT,
      description: `${AFFINITY_TITLES[trait]}: a number, or its decimal text.`,
    }),
    Transform(({ value }: { value: unknown }) => parseAffinityScore(value) ?? value),
    IsAffinityScore(`${AFFINITY_TITLES[trait]} must be a number from 0 to 100 with at most one decimal.`),
  );

const IsAffinityScore = (message: string): PropertyDecorator =>
  ValidateBy(
    { name: 'isAffinityScore', validator: { validate: (value: unknown) => parseAffinityScore(value) !== null } },
    { message, context: { code: 'INVALID_SCORE' } },
  );

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

/** Replaces the whole profile (rule resonance-5). */
@CommandHandler(SaveResonance)
export class SaveResonanceHandler implements ICommandHandler<SaveResonance> {
  constructor(private readonly profiles: ResonanceStore) {}

  async execute({ userId, draft }: SaveResonance): Promise<ResonanceDto> {
    const { horizon, currentTraits, idealTraits } = draft;
    const scores = affinityScores((trait) => draft[trait]);
    return toResonanceDto(await this.profiles.save(userId, { horizon, scores, currentTraits, idealTraits }));
  }
}
