import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  Money,
  QUEST_DESCRIPTION_MAX,
  QUEST_MESSAGES,
  QUEST_REWARD_MAX,
  QUEST_REWARD_TOO_LARGE,
  QUEST_RULES,
  QUEST_TARGET_MAX,
  QUEST_TITLE_MAX,
  type QuestRule,
} from '@app/domain';
import { Transform, Type } from 'class-transformer';
import {
  isISO8601,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  ValidateBy,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { MemberText } from '../platform/text.js';
import { IsNovaAmount, NovaWithin, toNova } from '../wallet/nova-amount.js';

const Required = (): PropertyDecorator =>
  IsNotEmpty({ message: QUEST_MESSAGES.missing, context: { code: 'REQUIRED' } });

const NUMERIC = /^\s*[+-]?\d+(\.\d+)?\s*$/;

/** A reward is a number or a numeric string (rule quests-7). */
const Numeric = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && NUMERIC.test(value) ? Number(value) : value,
  );

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** Milliseconds since 1970 of an ISO 8601 moment, in UTC unless it says otherwise; undefined for anything else. */
export function readMoment(text: unknown): number | undefined {
  if (typeof text !== 'string' || !isISO8601(text, { strict: true })) return undefined;
  const parts = MOMENT.exec(text);
  if (!parts) return undefined;
  const ms = Date.parse(parts[3] === undefined ? `${text}Z` : text);
  return Number.isNaN(ms) ? undefined : ms;
}

const Moment = (what: string): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: String, format: 'date-time' }),
    ValidateBy(
      { name: 'isMoment', validator: { validate: (value: unknown) => readMoment(value) !== undefined } },
      { message: `${what} must be a moment such as 2026-01-31T18:00:00Z.`, context: { code: 'INVALID_TIME' } },
    ),
    Required(),
  );

/** A whole number where things are counted; at most two decimals where Nova is. */
function isTarget(value: unknown, { object }: ValidationArguments): boolean {
  if (typeof value !== 'number' || !(value > 0 && value <= QUEST_TARGET_MAX)) return false;
  if ((object as Partial<QuestRulesInputDto>).type !== 'nova_earned') return Number.isInteger(value);
  try {
    return Money.fromNumber(value).minor > 0n;
  } catch {
    return false;
  }
}

const QuestTarget = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isQuestTarget',
      validator: { validate: (value, details) => details !== undefined && isTarget(value, details) },
    },
    {
      message: 'The target must be a positive whole number; of Nova, it may have two decimals.',
      context: { code: 'INVALID_TARGET' },
    },
  );

/** What a new quest counts, and how much of it is asked for (rule quests-1). */
export class QuestRulesInputDto {
  @ApiProperty({ enum: QUEST_RULES })
  @IsIn(QUEST_RULES, {
    message: `The type must be one of ${QUEST_RULES.join(', ')}.`,
    context: { code: 'INVALID_TYPE' },
  })
  @Required()
  type: QuestRule;

  @ApiPropertyOptional({ minimum: 0.01, maximum: QUEST_TARGET_MAX, default: 1, description: 'Nova for `nova_earned`.' })
  @QuestTarget()
  @IsOptional()
  target?: number;
}

/** `POST /api/admin/quests` (rule quests-7). */
export class NewQuestDto {
  @ApiProperty({ minLength: 1, maxLength: QUEST_TITLE_MAX })
  @MemberText(
    { min: 1, max: QUEST_TITLE_MAX },
    { message: `The title must have at most ${QUEST_TITLE_MAX} characters.` },
  )
  @Required()
  title: string;

  @ApiProperty({ minLength: 1, maxLength: QUEST_DESCRIPTION_MAX })
  @MemberText(
    { min: 1, max: QUEST_DESCRIPTION_MAX },
    { message: `The description must have at most ${QUEST_DESCRIPTION_MAX} characters.` },
  )
  @Required()
  description: string;

  @ApiProperty({
    oneOf: [{ type: 'number', minimum: 0.01, maximum: toNova(QUEST_REWARD_MAX) }, { type: 'string' }],
    description: 'Nova, as a number or a numeric string.',
  })
  @NovaWithin({ max: QUEST_REWARD_MAX }, QUEST_REWARD_TOO_LARGE)
  @NovaWithin({ min: 1n }, QUEST_MESSAGES.reward)
  @IsNovaAmount({ message: QUEST_MESSAGES.reward })
  @Numeric()
  @Required()
  reward: number;

  @Moment('The start')
  startTime: string;

  @Moment('The end')
  endTime: string;

  @ApiProperty({ type: QuestRulesInputDto })
  @ValidateNested()
  @Type(() => QuestRulesInputDto)
  @IsObject({ message: QUEST_MESSAGES.missing, context: { code: 'REQUIRED' } })
  @Required()
  rules: QuestRulesInputDto;
}
