import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { DAY_MS } from '@app/domain';
import { IsOptional, ValidateBy } from 'class-validator';
import { AppError } from './errors/app-error.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/;
const YEAR_MAX = 9_999;

/** A day or a moment as half-open time: from `start` on, before `end`. */
export interface DayOrMoment {
  readonly start: Date;
  /** A day counts whole, a moment to its millisecond. */
  readonly end: Date;
}

/** A day of the calendar or a moment, in UTC unless it says otherwise; undefined for anything else. */
export function readDayOrMoment(text: unknown): DayOrMoment | undefined {
  if (typeof text !== 'string' || !(DATE.test(text) || DATE_TIME.test(text))) return undefined;
  const start = new Date(text);
  if (Number.isNaN(start.getTime()) || start.getUTCFullYear() > YEAR_MAX || start.getUTCFullYear() < 1)
    return undefined;
  const day = text.slice(0, 'yyyy-mm-dd'.length);
  // 30 February would silently become 2 March.
  if (new Date(day).toISOString().slice(0, day.length) !== day) return undefined;
  return { start, end: new Date(start.getTime() + (DATE.test(text) ? DAY_MS : 1)) };
}

/**
 * The time from a first day or moment to a last one, either of which may be absent.
 * @throws AppError 400 `INVALID_DATE` the end comes before the start
 */
export function readPeriod({ startDate, endDate }: { readonly startDate?: string; readonly endDate?: string }): {
  readonly from?: Date;
  readonly before?: Date;
} {
  const from = readDayOrMoment(startDate)?.start;
  const before = readDayOrMoment(endDate)?.end;
  if (from && before && from >= before)
    throw new AppError(400, 'INVALID_DATE', 'The end date is before the start date.');
  return { ...(from ? { from } : {}), ...(before ? { before } : {}) };
}

/** An optional field that is a day or a moment; an empty one counts as absent. */
export const DayOrMomentField = (
  description = 'A day (`2026-01-31`, UTC) or a moment (ISO 8601).',
): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional({ type: String, description }), IsOptional(), IsDayOrMoment());

const IsDayOrMoment = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isDayOrMoment',
      validator: { validate: (value: unknown) => value === '' || readDayOrMoment(value) !== undefined },
    },
    { message: '$property must be a date such as 2026-01-31.', context: { code: 'INVALID_DATE' } },
  );
