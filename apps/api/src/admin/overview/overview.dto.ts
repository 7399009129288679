import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

const OVERVIEW_DAYS_MAX = 366;
const DAYS = { message: `The days must be a whole number from 1 to ${OVERVIEW_DAYS_MAX}.` };

/** `GET /api/admin/overview` and `…/series`: so many UTC days up to today. */
export class OverviewQueryDto {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: OVERVIEW_DAYS_MAX, default: 30 })
  @Max(OVERVIEW_DAYS_MAX, DAYS)
  @Min(1, DAYS)
  @IsInt(DAYS)
  @Type(() => Number)
  @IsOptional()
  days: number = 30;
}

/** A count of a period, and of the period before it. */
export class ChangeDto {
  count: number;
  previous: number;
  /** Percent more or less than before; null where there was nothing before. */
  change: number | null;
}

/** The Platform Overview, computed (rule admin-5). */
export class OverviewDto {
  days: number;
  registrations: ChangeDto;
  chats: ChangeDto;
  transactions: ChangeDto;
  /** Mean of the ratings given in the period, 0.00 to 9.99; null where nobody rated. */
  averageRating: number | null;
  /** Successful of the accepted chats of the period, in percent; null where none was accepted. */
  successRate: number | null;
  /** Minutes in which a server was there, in percent of those since the first one, within the period. */
  uptime: number | null;
}

/** One UTC day of the charts. Amounts in Nova. */
export class SeriesDayDto {
  /** @example 2026-11-21 */
  day: string;
  /** At the end of the day. */
  circulation: number;
  purchased: number;
  purchases: number;
  gifted: number;
  gifts: number;
  chatsRequested: number;
  chatsSuccessful: number;
  registrations: number;
}

export class SeriesDto {
  /** Oldest first, none left out. */
  series: SeriesDayDto[];
}
