import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { MemberText } from '../platform/text.js';
import { LIMIT_MAX } from '../wallet/paging.dto.js';
import type { PaginationDto } from './admin.dto.js';

/** Pages further away are reached by filters: a database counts its way to every page. */
const PAGE_MAX = 100_000;
const SEARCH_MAX = 254;

/** What admins' lists have in common: a page of matches. */
export abstract class PageDto {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: PAGE_MAX, default: 1 })
  @Max(PAGE_MAX, { message: `The page must be from 1 to ${PAGE_MAX}.` })
  @Min(1, { message: `The page must be from 1 to ${PAGE_MAX}.` })
  @IsInt({ message: 'The page must be a whole number.' })
  @Type(() => Number)
  @IsOptional()
  page: number = 1;

  abstract limit: number;
}

/** `limit`, 1 to 100, with a default of the specification. */
export const Limit = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: LIMIT_MAX }),
    Max(LIMIT_MAX, { message: `The limit must be from 1 to ${LIMIT_MAX}.` }),
    Min(1, { message: `The limit must be from 1 to ${LIMIT_MAX}.` }),
    IsInt({ message: 'The limit must be a whole number.' }),
    Type(() => Number),
    IsOptional(),
  );

/** Text that a member's name or e-mail contains; empty text finds everybody. */
export const Search = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, description: 'Part of a name or an e-mail address.' }),
    MemberText({ max: SEARCH_MAX }, { message: `The search text must be at most ${SEARCH_MAX} characters.` }),
    IsOptional(),
  );

export const offsetOf = ({ page, limit }: { readonly page: number; readonly limit: number }): number =>
  (page - 1) * limit;

export const paginationOf = (
  { page, limit }: { readonly page: number; readonly limit: number },
  total: number,
): PaginationDto => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
});
