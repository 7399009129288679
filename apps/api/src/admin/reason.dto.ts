import { ApiPropertyOptional } from '@nestjs/swagger';
import { REASON_MAX } from '@app/domain';
import { IsOptional } from 'class-validator';
import { MemberText } from '../platform/text.js';

/** What every act of an admin may bring: why. */
export class ReasonDto {
  @ApiPropertyOptional({ maxLength: REASON_MAX, description: 'Kept apart from the journal, so that it can be erased.' })
  @MemberText({ max: REASON_MAX }, { message: `The reason must be at most ${REASON_MAX} characters.` })
  @IsOptional()
  reason?: string;
}
