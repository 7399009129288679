import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BULK_ROWS_MAX } from '@app/domain';
import { IsBoolean, IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { Limit } from '../../wallet/paging.dto.js';
import { PaginationDto } from '../admin.dto.js';
import { PageDto } from '../page.dto.js';

/** A file of 500 rows with the longest reasons is smaller. */
const CSV_MAX = 400_000;

export const BULK_MODES = ['atomic', 'each'] as const;
export type BulkMode = (typeof BULK_MODES)[number];

/** `POST /api/admin/bulk-grants/check`. */
export class CheckBulkGrantsDto {
  @ApiProperty({
    maxLength: CSV_MAX,
    description: `CSV: e-mail or user id, amount, reason; at most ${BULK_ROWS_MAX} rows. A line of column names may come first.`,
    example: 'email,amount,reason\nada@example.com,500,Thank you',
  })
  @MaxLength(CSV_MAX, { message: `The file must be at most ${CSV_MAX} characters.` })
  @IsString({ message: 'csv must be text.' })
  csv: string;
}

/** `POST /api/admin/bulk-grants`. */
export class ApplyBulkGrantsDto extends CheckBulkGrantsDto {
  @ApiProperty({
    format: 'uuid',
    description: 'Made once for this batch: whatever is repeated with it takes effect once.',
  })
  @IsUUID(undefined, { message: 'batchId must be a UUID.' })
  batchId: string;

  @ApiProperty({ enum: BULK_MODES, description: '`atomic`: every row or none. `each`: every row that can be granted.' })
  @IsIn(BULK_MODES, { message: 'mode must be atomic or each.' })
  mode: BulkMode;

  @ApiPropertyOptional({ default: false, description: 'Grant a file once more that was granted before.' })
  @IsBoolean({ message: 'again must be true or false.' })
  @IsOptional()
  again: boolean = false;
}

export class BulkMemberDto {
  id: string;
  displayName: string;
}

/** What becomes, or became, of one row. */
export class BulkRowDto {
  @ApiProperty({ type: 'integer', description: 'The line of the file, from 1.' })
  line: number;

  @ApiProperty({ type: BulkMemberDto, nullable: true, description: 'Null where nobody was found.' })
  member: BulkMemberDto | null;

  @ApiProperty({ description: 'As the row names the member.' })
  given: string;

  amount: number | null;

  reason: string;
  ok: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Why the row cannot be granted, as a stable word.' })
  code: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why the row cannot be granted, or what is odd about it.' })
  message: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The event, once the row is granted.' })
  eventId: string | null;
}

export class BulkBatchDto {
  batchId: string;

  admin: BulkMemberDto;

  @ApiProperty({ enum: BULK_MODES })
  mode: BulkMode;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  @ApiProperty({ description: 'False where a crash came in between: send the file again with this batch id.' })
  finished: boolean;

  @ApiProperty({ type: 'integer' })
  rows: number;

  @ApiProperty({ type: 'integer' })
  granted: number;

  @ApiProperty({ description: 'Nova.' })
  total: number;
}

export class BulkVerdictDto {
  rows: BulkRowDto[];

  @ApiProperty({ type: 'integer' })
  acceptable: number;

  @ApiProperty({ type: 'integer' })
  refused: number;

  @ApiProperty({ description: 'Nova of the rows that can be granted.' })
  total: number;

  @ApiProperty({ type: BulkBatchDto, nullable: true, description: 'The batch that granted this very file before.' })
  appliedBefore: BulkBatchDto | null;
}

export class BulkResultDto {
  batch: BulkBatchDto;

  rows: BulkRowDto[];

  @ApiProperty({ type: 'integer' })
  refused: number;

  @ApiProperty({ description: 'This batch had been granted before: this is its first answer.' })
  repeated: boolean;

  message: string;
}

export class BulkBatchesQueryDto extends PageDto {
  @Limit()
  limit: number = 20;
}

export class BulkBatchesDto {
  batches: BulkBatchDto[];

  pagination: PaginationDto;
}
