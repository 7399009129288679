import { ApiProperty } from '@nestjs/swagger';
import { REASON_MAX } from '@app/domain';
import { PaginationDto } from '../../admin/admin.dto.js';
import { PageDto } from '../../admin/page.dto.js';
import { MemberText } from '../../platform/text.js';
import { Limit } from '../../wallet/paging.dto.js';

export class ReceivablesQueryDto extends PageDto {
  @Limit()
  limit: number = 20;
}

/** What a member owes for a reversed purchase. Amounts in Nova. */
export class ReceivableDto {
  @ApiProperty({ description: 'The refund or dispute at the payment provider.', example: 're_1' })
  reversalId: string;

  userId: string;

  @ApiProperty({ example: 'Ada' })
  userName: string;

  paymentIntentId: string;

  @ApiProperty({ enum: ['refund', 'dispute'] })
  reason: 'refund' | 'dispute';

  @ApiProperty({ description: 'What the reversal could not take.' })
  shortfall: number;

  @ApiProperty({ description: 'What the member repaid since.' })
  repaid: number;

  @ApiProperty({ description: 'What is still owed.' })
  open: number;

  @ApiProperty({ description: 'The event that reversed the purchase.' })
  eventId: string;

  @ApiProperty({ format: 'date-time' })
  openedAt: string;

  @ApiProperty({ type: 'integer', description: 'Whole days since then.' })
  ageDays: number;
}

/** `GET /api/admin/receivables`. */
export class ReceivablesDto {
  @ApiProperty({ type: [ReceivableDto], description: 'Oldest first.' })
  receivables: ReceivableDto[];

  @ApiProperty({ description: 'What all members owe together, in Nova.' })
  totalOpen: number;

  @ApiProperty({ description: 'Whether a member’s next Nova repays what they owe (`REPAY_SHORTFALLS`).' })
  repaysItself: boolean;

  pagination: PaginationDto;
}

/** `POST /api/admin/receivables/{reversalId}/write-off`. */
export class WriteOffDto {
  @ApiProperty({ minLength: 1, maxLength: REASON_MAX })
  @MemberText({ min: 1, max: REASON_MAX }, { message: `Say why, in at most ${REASON_MAX} characters.` })
  reason: string;
}

/** `POST /api/admin/receivables/{reversalId}/write-off`, the answer. */
export class WrittenOffDto {
  eventId: string;

  @ApiProperty({ description: 'What was written off, in Nova.' })
  amount: number;

  @ApiProperty({ example: 'Wrote off 70 Nova.' })
  message: string;

  @ApiProperty({ description: 'False when lists do not show it yet.' })
  projected: boolean;
}
