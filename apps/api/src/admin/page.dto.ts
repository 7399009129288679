import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { MemberText } from '../platform/text.js';
import { Page } from '../wallet/paging.dto.js';
import type { PaginationDto } from './admin.dto.js';

const SEARCH_MAX = 254;

/** What admins' lists have in common: a page of matches. */
export abstract class PageDto {
  @Page()
  page: number = 1;

  abstract limit: number;
}

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
