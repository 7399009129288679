import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { REASON_MAX } from '@app/domain';
import { IsBoolean, IsOptional } from 'class-validator';
import { MemberText } from '../../platform/text.js';

/** `POST /api/admin/events/{id}/reverse`. */
export class ReverseMovementDto {
  @ApiProperty({
    minLength: 1,
    maxLength: REASON_MAX,
    description: 'Kept apart from the journal, so that it can be erased.',
  })
  @MemberText({ min: 1, max: REASON_MAX }, { message: `Say why, in at most ${REASON_MAX} characters.` })
  reason: string;

  @ApiPropertyOptional({ default: false, description: 'Whether to return what is still there if that is not all.' })
  @IsBoolean({ message: 'partly must be true or false.' })
  @IsOptional()
  partly?: boolean;
}

/** An account that a reversal changes. */
export class ReversalPartDto {
  @ApiProperty({ example: 'user:018f…:earned' })
  account: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Whose it is; null for the platform’s own accounts.',
    example: 'Ada',
  })
  holder: string | null;

  @ApiProperty({ description: 'What the account gains or, negative, gives, in Nova.' })
  amount: number;
}

const STATES = ['whole', 'part', 'impossible', 'reversed'] as const;

/** `GET /api/admin/events/{id}/reversal`: what a reversal would do now. Nothing is written. */
export class ReversalPreviewDto {
  @ApiProperty({
    enum: STATES,
    enumName: 'ReversalState',
    description:
      '`whole`: everything can be returned. `part`: only a part is still there. `impossible`: `obstacle` says why. ' +
      '`reversed`: it was done before.',
  })
  state: (typeof STATES)[number];

  @ApiProperty({ description: 'What the movement moved, in Nova.' })
  amount: number;

  @ApiProperty({ description: 'What would come back, or did.' })
  returned: number;

  @ApiProperty({ type: [ReversalPartDto], description: 'From which accounts, and into which.' })
  parts: ReversalPartDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Why nothing can be returned.' })
  obstacle: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The event that reversed it.' })
  reversalEventId: string | null;
}

/** `POST /api/admin/events/{id}/reverse`, the answer. */
export class ReversedMovementDto {
  eventId: string;

  @ApiProperty({ description: 'What came back, in Nova.' })
  returned: number;

  @ApiProperty({ example: 'The movement was reversed: 1,000 Nova came back.' })
  message: string;

  @ApiProperty({ description: 'False when lists and balances do not show it yet.' })
  projected: boolean;
}
