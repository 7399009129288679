import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { IsNovaAmount, NovaWithin, toMinor } from '../../wallet/nova-amount.js';
import { ApprovalPersonDto } from '../approvals/approvals.dto.js';
import { ReasonDto } from '../reason.dto.js';

const ACCOUNT_MAX = 100;
const LIMIT_MAX_NOVA = 1_000_000_000_000;
const LIMIT_MESSAGE = 'The limit must be from −1,000,000,000,000 to 1,000,000,000,000 Nova.';
const ACCOUNT_MESSAGE = 'The account must be the name of an account.';

export const WATCH_DIRECTIONS = ['above', 'below'] as const;
export type WatchDirection = (typeof WATCH_DIRECTIONS)[number];

/** `POST /api/admin/watches`. */
export class SetWatchDto extends ReasonDto {
  @ApiProperty({
    maxLength: ACCOUNT_MAX,
    description:
      'An account of Nova by its name (`treasury`, `user:{id}:earned`, `app:{client id}:purchased`, `chat:{id}`, `pool:karma`), or ' +
      '`total:members`, `total:circulation`.',
    example: 'treasury',
  })
  @MaxLength(ACCOUNT_MAX, { message: ACCOUNT_MESSAGE })
  @IsString({ message: ACCOUNT_MESSAGE })
  account: string;

  @ApiProperty({ enum: WATCH_DIRECTIONS, description: 'Which side of the limit is beyond it.' })
  @IsIn(WATCH_DIRECTIONS, { message: 'direction must be above or below.' })
  direction: WatchDirection;

  @ApiProperty({ minimum: -LIMIT_MAX_NOVA, maximum: LIMIT_MAX_NOVA, description: 'Nova.', example: 10_000 })
  @NovaWithin({ min: -toMinor(LIMIT_MAX_NOVA), max: toMinor(LIMIT_MAX_NOVA) }, LIMIT_MESSAGE)
  @IsNovaAmount()
  limit: number;
}

export class WatchCrossingDto {
  @ApiProperty({ description: 'The event of the ledger.' })
  eventId: string;

  @ApiProperty({ description: 'Nova, after that event.' })
  balance: number;

  @ApiProperty({ format: 'date-time' })
  at: string;
}

export class WatchDto {
  id: string;

  @ApiProperty({ example: 'treasury' })
  account: string;

  @ApiProperty({ type: String, nullable: true, description: 'The name of the member whose account it is.' })
  member: string | null;

  @ApiProperty({ enum: WATCH_DIRECTIONS })
  direction: WatchDirection;

  @ApiProperty({ description: 'Nova.' })
  limit: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Nova when it was last looked at; null until then.' })
  balance: number | null;

  @ApiProperty({ description: 'Whether that is beyond the limit.' })
  isBeyond: boolean;

  setBy: ApprovalPersonDto;

  @ApiProperty({ format: 'date-time' })
  setAt: string;

  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  @ApiProperty({ type: [WatchCrossingDto], description: 'The last ones, newest first.' })
  crossings: WatchCrossingDto[];
}

/** `GET /api/admin/watches`, the newest first. */
export class WatchesDto {
  watches: WatchDto[];

  @ApiProperty({ type: 'integer', description: 'How many are beyond their limit.' })
  beyond: number;

  @ApiProperty({ type: 'integer', description: 'How many there may be.' })
  max: number;
}
