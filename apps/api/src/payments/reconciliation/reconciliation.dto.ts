import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type DollarAccount, REASON_MAX } from '@app/domain';
import { IsIn, IsOptional } from 'class-validator';
import { PaginationDto } from '../../admin/admin.dto.js';
import { PageDto } from '../../admin/page.dto.js';
import { TakenByField } from '../../finance/general-ledger/general-ledger.dto.js';
import { ACTOR_KINDS, type ActorKind } from '../../platform/actor-kind.js';
import { DayOrMomentField } from '../../platform/day-or-moment.js';
import { MemberText } from '../../platform/text.js';
import { Limit } from '../../wallet/paging.dto.js';
import { LINE_KINDS, type LineKind } from './provider-lines.js';

const STATUSES = ['flagged', 'explained', 'matched', 'all'] as const;

export class ReconciliationLinesQueryDto extends PageDto {
  @Limit()
  limit: number = 20;

  @ApiPropertyOptional({ enum: STATUSES, default: 'flagged' })
  @IsIn(STATUSES, { message: 'status must be flagged, explained, matched or all.' })
  @IsOptional()
  status: (typeof STATUSES)[number] = 'flagged';
}

export class ReconciliationRunsQueryDto extends PageDto {
  @Limit()
  limit: number = 20;
}

/** `POST /api/admin/reconciliation/runs`. */
export class BeginReconciliationDto {
  @DayOrMomentField(
    'A day or a moment (ISO 8601); where it is absent, seven days before the end, or the end of the last daily run if that was earlier.',
  )
  from?: string;

  @DayOrMomentField('A day, which counts whole, or a moment; now where it is absent.')
  to?: string;
}

/** `POST /api/admin/reconciliation/lines/{id}/settle`. */
export class SettleDifferenceDto {
  @ApiProperty({ minLength: 1, maxLength: REASON_MAX })
  @MemberText({ min: 1, max: REASON_MAX }, { message: `Say why, in at most ${REASON_MAX} characters.` })
  reason: string;
}

/** `POST /api/admin/reconciliation/lines/{id}/explain`. */
export class ExplainDifferenceDto extends SettleDifferenceDto {
  @TakenByField()
  takenBy?: DollarAccount;
}

class ExplanationDto {
  by: string;

  @ApiProperty({ format: 'date-time' })
  at: string;

  reason: string | null;
}

export class ReconciliationLineDto {
  @ApiProperty({ description: 'The movement at the provider, or the event of ours.' })
  id: string;

  @ApiProperty({ enum: ['provider', 'ledger'], description: 'Whose line it is.' })
  side: 'provider' | 'ledger';

  @ApiProperty({ enum: LINE_KINDS })
  kind: LineKind;

  @ApiProperty({ type: String, nullable: true, description: 'Of the charge, refund or dispute.' })
  providerId: string | null;

  paymentIntentId: string | null;

  @ApiProperty({ type: 'integer', description: 'US cents; what leaves the balance is negative.' })
  cents: number;

  @ApiProperty({ type: 'integer' })
  feeCents: number;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ enum: ['matched', 'explained', 'flagged'] })
  status: string;

  @ApiProperty({ type: String, nullable: true, description: 'Why there is a difference, as a stable word.' })
  code: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The same in a sentence.' })
  note: string | null;

  eventId: string | null;

  @ApiProperty({ description: 'Whether the ledger can settle the difference.' })
  isSettleable: boolean;

  @ApiProperty({ type: ExplanationDto, nullable: true, description: 'By an admin.' })
  explanation: ExplanationDto | null;
}

export class ReconciliationLinesDto {
  lines: ReconciliationLineDto[];

  pagination: PaginationDto;
}

export class ReconciliationRunDto {
  id: string;

  @ApiProperty({ enum: ACTOR_KINDS, description: 'An admin, the daily job, or the command line.' })
  actor: ActorKind;

  @ApiProperty({ type: String, nullable: true, description: 'The admin who began it.' })
  by: string | null;

  @ApiProperty({ format: 'date-time' })
  from: string;

  @ApiProperty({ format: 'date-time' })
  until: string;

  @ApiProperty({ format: 'date-time' })
  startedAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finishedAt: string | null;

  @ApiProperty({ enum: ['running', 'done', 'failed'] })
  state: 'running' | 'done' | 'failed';

  @ApiProperty({ type: 'integer' })
  matched: number;

  @ApiProperty({ type: 'integer' })
  explained: number;

  @ApiProperty({ type: 'integer' })
  flagged: number;

  @ApiProperty({ type: 'integer', description: 'US cents: what moved on the balance in that time.' })
  grossCents: number;

  @ApiProperty({ type: 'integer' })
  feeCents: number;

  @ApiProperty({ type: 'integer' })
  netCents: number;
}

export class ReconciliationRunsDto {
  runs: ReconciliationRunDto[];

  pagination: PaginationDto;
}
