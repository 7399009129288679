import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACCOUNT_KINDS, CURRENCIES } from '@app/domain';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { PaginationDto } from '../../admin/admin.dto.js';
import { PageDto } from '../../admin/page.dto.js';
import { ReasonDto } from '../../admin/reason.dto.js';
import { ACTOR_KINDS, type ActorKind } from '../../platform/actor-kind.js';
import { readDayOrMoment } from '../../platform/day-or-moment.js';
import { Limit } from '../../wallet/paging.dto.js';

/** What everybody may know of a closed period: enough to check a receipt against it, and the periods against each other. */
export class PeriodRootDto {
  @ApiProperty({ type: 'integer', description: 'From 1, without gaps.' })
  number: number;

  @ApiProperty({ format: 'date-time', description: 'The last moment that belongs to it.' })
  endsAt: string;

  @ApiProperty({ type: 'integer' })
  firstRevision: number;

  @ApiProperty({ type: 'integer' })
  lastRevision: number;

  @ApiProperty({ description: 'Of the journal’s chain at its last revision.' })
  chainHash: string;

  @ApiProperty({ description: 'Of the tree over its events.' })
  root: string;

  @ApiProperty({ description: 'Of its trial balance.' })
  totalsHash: string;

  previousSeal: string;

  @ApiProperty({ description: 'SHA-256 over all of the above.' })
  seal: string;
}

export class PeriodRootsDto {
  periods: PeriodRootDto[];

  @ApiProperty({ type: 'integer', nullable: true, description: '`before` of the next page.' })
  nextBefore: number | null;
}

export class PeriodRootsQueryDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'Periods before this number; the newest without it.',
  })
  @Max(Number.MAX_SAFE_INTEGER, { message: 'before must be the number of a period.' })
  @Min(1, { message: 'before must be the number of a period.' })
  @IsInt({ message: 'before must be the number of a period.' })
  @Type(() => Number)
  @IsOptional()
  before?: number;

  @Limit()
  limit: number = 100;
}

export class PeriodTotalDto {
  @ApiProperty({ enum: ACCOUNT_KINDS })
  kind: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: string;
  amount: number;
}

export class PeriodDto extends PeriodRootDto {
  @ApiProperty({ format: 'date-time' })
  closedAt: string;

  @ApiProperty({ enum: ACTOR_KINDS, description: 'An admin, the daily job, or the command line.' })
  actor: ActorKind;

  @ApiProperty({ type: String, nullable: true, description: 'The admin who closed it.' })
  closedBy: string | null;

  @ApiProperty({ type: 'integer' })
  events: number;

  @ApiProperty({ type: [PeriodTotalDto], description: 'The trial balance at its end, by account kind and currency.' })
  totals: PeriodTotalDto[];
}

export class PeriodsQueryDto extends PageDto {
  @Limit()
  limit: number = 20;
}

export class PeriodsDto {
  periods: PeriodDto[];

  pagination: PaginationDto;
}

/** `POST /api/admin/periods`. */
export class ClosePeriodDto extends ReasonDto {
  @ApiProperty({
    description:
      'The last moment that belongs to the period; a day (`2026-01-31`, UTC) belongs to it whole. It must have passed.',
  })
  @ValidateBy(
    { name: 'isDayOrMoment', validator: { validate: (value) => readDayOrMoment(value) !== undefined } },
    { message: 'endsAt must be a time like 2026-01-31T23:59:59.999Z, or a day like 2026-01-31.' },
  )
  endsAt: string;
}
