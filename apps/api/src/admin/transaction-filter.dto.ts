import { ApiPropertyOptional } from '@nestjs/swagger';
import { STATEMENT_TYPES, type StatementType } from '@app/domain';
import type { StatementFilter, StatementOrder } from '@app/projections';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { DayOrMomentField, readPeriod } from '../platform/day-or-moment.js';
import { memberPatterns } from '../platform/text.js';
import { Limit } from '../wallet/paging.dto.js';
import { UNKNOWN_TYPE } from '../wallet/queries/statement-filter.dto.js';
import { PageDto, Search } from './page.dto.js';

/** Filters of the admin's list and export of transactions. An empty value counts as absent. */
export class TransactionFilterDto extends PageDto {
  @Search()
  search?: string;

  /** 20 a page. The export has no pages. */
  @Limit()
  limit: number = 20;

  @ApiPropertyOptional({ enum: STATEMENT_TYPES })
  @IsIn(['', ...STATEMENT_TYPES], { message: UNKNOWN_TYPE, context: { code: 'INVALID_TYPE' } })
  @IsOptional()
  type?: StatementType | '';

  @DayOrMomentField()
  startDate?: string;

  /** A day counts whole. */
  @DayOrMomentField()
  endDate?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'One member only.' })
  @IsUUID(undefined, { message: 'There is no such user.', context: { code: 'INVALID_USER' } })
  @IsOptional()
  userId?: string;
}

const ORDERS = ['asc', 'desc'] as const satisfies readonly StatementOrder[];

/** The list can also begin with the oldest; the export is read by machines, which sort it themselves. */
export class TransactionListDto extends TransactionFilterDto {
  @ApiPropertyOptional({ enum: ORDERS, default: 'desc', description: 'By time: desc is newest first.' })
  @IsIn(ORDERS, { message: 'The order must be asc or desc.', context: { code: 'INVALID_SORT' } })
  @IsOptional()
  order: StatementOrder = 'desc';
}

/** @throws AppError 400 the end comes before the start */
export function toStatementFilter({ search, type, userId, ...dates }: TransactionFilterDto): StatementFilter {
  return {
    ...readPeriod(dates),
    ...(search ? { search: memberPatterns(search) } : {}),
    ...(type ? { types: [type] } : {}),
    ...(userId === undefined ? {} : { userIds: [userId.toLowerCase()] }),
  };
}
