import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** `decisions.md`, General: `limit` is 1 to 100. */
export const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 20;
const CURSOR_MAX = 64;

const WRONG_PAGE = { context: { code: 'INVALID_PAGE' } };

/** `limit` of a page by offset, 1 to 100. @param absent what it is where none is asked for */
export const PageLimit = (absent: number): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: absent }),
    Max(LIMIT_MAX, { message: `The limit must be from 1 to ${LIMIT_MAX}.`, ...WRONG_PAGE }),
    Min(1, { message: `The limit must be from 1 to ${LIMIT_MAX}.`, ...WRONG_PAGE }),
    IsInt({ message: 'The limit must be a whole number.', ...WRONG_PAGE }),
    Type(() => Number),
    IsOptional(),
  );

/** `offset` of a page: a database counts its way to every page. */
export const PageOffset = (max: number): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: max, default: 0 }),
    Max(max, { message: `The offset must be from 0 to ${max}.`, ...WRONG_PAGE }),
    Min(0, { message: `The offset must be from 0 to ${max}.`, ...WRONG_PAGE }),
    IsInt({ message: 'The offset must be a whole number.', ...WRONG_PAGE }),
    Type(() => Number),
    IsOptional(),
  );

/** A page of a list by cursor. */
export class CursorPageDto {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })
  @Max(LIMIT_MAX, { message: `The limit must be from 1 to ${LIMIT_MAX}.` })
  @Min(1, { message: `The limit must be from 1 to ${LIMIT_MAX}.` })
  @IsInt({ message: 'The limit must be a whole number.' })
  @Type(() => Number)
  @IsOptional()
  limit: number = LIMIT_DEFAULT;

  @ApiPropertyOptional({ description: '`nextCursor` of the page before.' })
  @MaxLength(CURSOR_MAX, { message: 'The cursor is not one that was given out.', context: { code: 'INVALID_CURSOR' } })
  @IsString({ message: 'The cursor is not one that was given out.', context: { code: 'INVALID_CURSOR' } })
  @IsOptional()
  cursor?: string;
}
