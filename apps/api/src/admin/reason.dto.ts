import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { MemberText } from '../platform/text.js';

export const REASON_MAX = 500;

/** What every act of an admin may bring: why. */
export class ReasonDto {
  @ApiPropertyOptional({ maxLength: REASON_MAX, description: 'Kept apart from the journal, so that it can be erased.' })
  @MemberText({ max: REASON_MAX }, { message: `The reason must be at most ${REASON_MAX} characters.` })
  @IsOptional()
  reason?: string;
}
