import { ApiPropertyOptional } from '@nestjs/swagger';
import { STATEMENT_TYPES, type StatementFilter, type StatementOrder, type StatementType } from '@app/projections';
import { IsIn, IsOptional, IsUUID, registerDecorator } from 'class-validator';
import { likePattern, searchKey } from '../platform/text.js';
import { UNKNOWN_TYPE } from '../wallet/queries/list-transactions.js';
import { AppError } from '../platform/errors/app-error.js';
import { Limit, PageDto, Search } from './page.dto.js';

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/;
const YEAR_MAX = 9_999;

/** A day of the calendar or a moment, in UTC unless it says otherwise; undefined for anything else. */
function readTime(text: unknown): { readonly at: Date; readonly isDay: boolean } | undefined {
  if (typeof text !== 'string' || !(DATE.test(text) || DATE_TIME.test(text))) return undefined;
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > YEAR_MAX || at.getUTCFullYear() < 1) return undefined;
  // 30 February would silently become 2 March.
  if (DATE.test(text) && at.toISOString().slice(0, 10) !== text) return undefined;
  return { at, isDay: DATE.test(text) };
}

const DateFilter = (): PropertyDecorator => (target, property) => {
  ApiPropertyOptional({ type: String, description: 'A day (`2026-01-31`, UTC) or a moment (ISO 8601).' })(
    target,
    property,
  );
  IsOptional()(target, property);
  registerDecorator({
    name: 'isDayOrMoment',
    target: target.constructor,
    propertyName: String(property),
    options: { message: `${String(property)} must be a date such as 2026-01-31.`, context: { code: 'INVALID_DATE' } },
    validator: { validate: (value: unknown) => value === '' || readTime(value) !== undefined },
  });
};

/** Filters of the admin's list and export of transactions. An empty value counts as absent. */
export class TransactionFilterDto extends PageDto {
  @Search()
  search?: string;

  /** S1 §9 Admin paging: 20 a page. The export has no pages. */
  @Limit()
  limit: number = 20;

  @ApiPropertyOptional({ enum: STATEMENT_TYPES })
  @IsIn(['', ...STATEMENT_TYPES], { message: UNKNOWN_TYPE, context: { code: 'INVALID_TYPE' } })
  @IsOptional()
  type?: StatementType | '';

  @DateFilter()
  startDate?: string;

  /** A day counts whole. */
  @DateFilter()
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
export function toStatementFilter({ search, type, startDate, endDate, userId }: TransactionFilterDto): StatementFilter {
  const from = readTime(startDate)?.at;
  const end = readTime(endDate);
  // A moment is included to its millisecond.
  const before = end && new Date(end.at.getTime() + (end.isDay ? DAY_MS : 1));
  if (from && before && from >= before)
    throw new AppError(400, 'INVALID_DATE', 'The end date is before the start date.');
  return {
    ...(search ? { search: likePattern(searchKey(search)) } : {}),
    ...(type ? { types: [type] } : {}),
    ...(userId === undefined ? {} : { userIds: [userId.toLowerCase()] }),
    ...(from ? { from } : {}),
    ...(before ? { before } : {}),
  };
}
