import { ApiPropertyOptional } from '@nestjs/swagger';
import { ROW_LABELS, STATEMENT_TYPES, type StatementType } from '@app/domain';
import type { Direction, RowSearch, StatementFilter } from '@app/projections';
import { IsIn, IsOptional } from 'class-validator';
import { DayOrMomentField, readPeriod } from '../../platform/day-or-moment.js';
import { likePattern, MemberText, searchKey } from '../../platform/text.js';
import { CursorPageDto } from '../paging.dto.js';

export const UNKNOWN_TYPE = 'There is no such type of transaction.';

const SEARCH_MAX = 100;
const DIRECTIONS = ['in', 'out'] as const satisfies readonly Direction[];

/** Which rows of one's own statement, page by page (rule wallet-24). An empty value counts as absent. */
export class StatementFilterDto extends CursorPageDto {
  @ApiPropertyOptional({ enum: STATEMENT_TYPES })
  @IsIn(['', ...STATEMENT_TYPES], { message: UNKNOWN_TYPE, context: { code: 'INVALID_TYPE' } })
  @IsOptional()
  type?: StatementType | '';

  @ApiPropertyOptional({ enum: DIRECTIONS, description: '`in`: what one got; `out`: what one gave.' })
  @IsIn(['', ...DIRECTIONS], { message: 'The direction must be in or out.', context: { code: 'INVALID_DIRECTION' } })
  @IsOptional()
  direction?: Direction | '';

  @DayOrMomentField()
  startDate?: string;

  /** A day counts whole. */
  @DayOrMomentField()
  endDate?: string;

  @ApiPropertyOptional({
    type: String,
    description: "Part of the other member's name, of an application's, of a quest's title, or of a type's name.",
  })
  @MemberText({ max: SEARCH_MAX }, { message: `The search text must be at most ${SEARCH_MAX} characters.` })
  @IsOptional()
  search?: string;
}

/** @throws AppError 400 the end comes before the start */
export function toFilter({ type, direction, search, ...dates }: Omit<StatementFilterDto, 'limit'>): StatementFilter {
  return {
    ...readPeriod(dates),
    ...(type ? { types: [type] } : {}),
    ...(direction ? { direction } : {}),
    ...(search ? { about: aboutOf(search) } : {}),
  };
}

/** The texts are those of `PARTIES_LIKE`. */
function aboutOf(search: string): RowSearch {
  const text = search.toLowerCase();
  const types = STATEMENT_TYPES.filter((type) => ROW_LABELS[type].toLowerCase().includes(text));
  return { types, texts: [likePattern(searchKey(search)), likePattern(search)] };
}
