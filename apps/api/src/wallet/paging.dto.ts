import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min, type ValidationOptions } from 'class-validator';

/** `limit` is 1 to 100 (rule general-12). */
export const LIMIT_MAX = 100;
/** Pages further away are reached by filters: a database counts its way to every page. */
const PAGE_MAX = 100_000;
const CURSOR_MAX = 64;

/** A page by offset says so in a word of its own when it cannot be. */
export const INVALID_PAGE = { context: { code: 'INVALID_PAGE' } };

/** A whole number of a query; the property's first value stands for none. */
function WholeNumber(name: string, min: number, max: number, options?: ValidationOptions): PropertyDecorator {
  const range = { message: `The ${name} must be from ${min} to ${max}.`, ...options };
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: min, maximum: max }),
    Max(max, range),
    Min(min, range),
    IsInt({ message: `The ${name} must be a whole number.`, ...options }),
    Type(() => Number),
    IsOptional(),
  );
}

/** `limit` of a page, 1 to 100. */
export const Limit = (options?: ValidationOptions): PropertyDecorator => WholeNumber('limit', 1, LIMIT_MAX, options);

export const Page = (): PropertyDecorator => WholeNumber('page', 1, PAGE_MAX);

export const Offset = (max: number): PropertyDecorator => WholeNumber('offset', 0, max, INVALID_PAGE);

/** A page of a list by cursor. */
export class CursorPageDto {
  @Limit()
  limit: number = 20;

  @ApiPropertyOptional({ description: '`nextCursor` of the page before.' })
  @MaxLength(CURSOR_MAX, { message: 'The cursor is not one that was given out.', context: { code: 'INVALID_CURSOR' } })
  @IsString({ message: 'The cursor is not one that was given out.', context: { code: 'INVALID_CURSOR' } })
  @IsOptional()
  cursor?: string;
}
