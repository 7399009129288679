import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { REVIEW_CHARACTERS_MAX } from '@app/domain';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { MemberText } from '../../platform/text.js';

const ID_MAX = 64;
const STARS_MIN = 1;
const STARS_MAX = 10;
/** A dashboard's rating is stored on the scale of the chat screen (rule ratings-3). */
export const RATING_PER_STAR = 10;

const RATING = {
  message: `The rating must be a whole number from ${STARS_MIN} to ${STARS_MAX}.`,
  context: { code: 'INVALID_RATING' },
};

/** `POST /api/status/submit-rating` (rule ratings-3). */
export class SubmitRatingDto {
  @ApiProperty({ maxLength: ID_MAX })
  @MaxLength(ID_MAX, { message: 'There is no such chat.' })
  @IsString({ message: 'Say which chat you rate.', context: { code: 'REQUIRED' } })
  chatId: string;

  @ApiProperty({ type: 'integer', minimum: STARS_MIN, maximum: STARS_MAX })
  @Max(STARS_MAX, RATING)
  @Min(STARS_MIN, RATING)
  @IsInt(RATING)
  rating: number;

  @ApiPropertyOptional({ maxLength: REVIEW_CHARACTERS_MAX })
  @MemberText({ max: REVIEW_CHARACTERS_MAX }, { message: `A comment has ${REVIEW_CHARACTERS_MAX} characters at most.` })
  @IsOptional()
  comment?: string;
}
