import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  AFFINITY_SCORE_DEFAULT,
  AFFINITY_SCORE_MAX,
  AFFINITY_SCORE_MIN,
  AFFINITY_SCORE_STEP,
  AFFINITY_TITLES,
  type AffinityTrait,
  parseAffinityScore,
} from '@app/domain';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/** A score from 0 to 100 in tenths, as a number or as its decimal text; absent it is 50 (rule resonance-2). */
export const AffinityScore = (trait: AffinityTrait): PropertyDecorator =>
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
