import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** `decisions.md`, General: `limit` is 1 to 100. */
export const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 20;
const CURSOR_MAX = 64;

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
