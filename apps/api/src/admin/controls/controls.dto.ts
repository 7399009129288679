import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { IsNovaAmount, NovaWithin, toMinor } from '../../wallet/nova-amount.js';
import { ApprovalPersonDto } from '../approvals/approvals.dto.js';
import { ADJUSTMENT_MAX_NOVA } from '../commands/adjust-nova.js';
import { ReasonDto } from '../reason.dto.js';

const MESSAGE = 'Each limit must be from 0 to 1,000,000,000 Nova, or null for none.';

const LimitOrNone = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: ADJUSTMENT_MAX_NOVA, description }),
    NovaWithin({ min: 0n, max: toMinor(ADJUSTMENT_MAX_NOVA) }, MESSAGE),
    IsNovaAmount({ message: MESSAGE }),
    ValidateIf((_, value) => value !== null),
  );

const THRESHOLD = 'Nova: what an admin gives or takes beyond this at once needs a second admin. Null: nothing does.';
const DAILY_CAP = 'Nova that each admin may grant on a UTC day. Null: no cap.';

/** `PUT /api/admin/controls`. */
export class ChangeControlsDto extends ReasonDto {
  @LimitOrNone(THRESHOLD)
  threshold: number | null;

  @LimitOrNone(DAILY_CAP)
  dailyCap: number | null;
}

/** `GET /api/admin/controls`: the limits for admins. */
export class ControlsDto {
  @ApiProperty({ type: Number, nullable: true, description: THRESHOLD })
  threshold: number | null;

  @ApiProperty({ type: Number, nullable: true, description: DAILY_CAP })
  dailyCap: number | null;

  @ApiProperty({ type: 'integer', description: 'With one, nothing waits: there is nobody to ask.' })
  admins: number;

  @ApiProperty({ type: ApprovalPersonDto, nullable: true, description: 'Who changed them last. Null: nobody yet.' })
  changedBy: ApprovalPersonDto | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  changedAt: string | null;
}
