import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ENGAGEMENT_KINDS, type EngagementKind, POST_RATING_MAX, POST_RATING_MIN } from '@app/domain';
import { IsIn, IsInt, IsNumber, IsOptional, IsUUID, Max, Min } from 'class-validator';
import { INVALID_PAGE, Limit, Offset } from '../wallet/paging.dto.js';

/** Posts on a page of the feed (rule feed-1). */
const PAGE = 10;
const OFFSET_MAX = 10_000;
const RATING = {
  message: `A rating must be a whole number from ${POST_RATING_MIN} to ${POST_RATING_MAX}.`,
  context: { code: 'INVALID_RATING' },
};
const POST = { message: 'The postId is not that of a post.' };
const MEASURE = { message: 'dwellTime, watchPercent and eventValue must be numbers from 0.' };

export class FeedPageDto {
  @Limit(INVALID_PAGE)
  limit: number = PAGE;

  @Offset(OFFSET_MAX)
  offset: number = 0;
}

/** `POST /api/scroll`. */
export class ScrollRequestDto {
  @IsUUID('all', POST)
  postId: string;
}

/** `POST /api/content/{id}/rate` (rule feed-4). */
export class RatePostDto {
  @ApiProperty({ type: 'integer', minimum: POST_RATING_MIN, maximum: POST_RATING_MAX })
  @Max(POST_RATING_MAX, RATING)
  @Min(POST_RATING_MIN, RATING)
  @IsInt(RATING)
  rating: number;
}

/** `POST /api/events`. What was measured is not trusted: each kind counts once for each viewer and post. */
export class EngagementEventDto {
  @IsUUID('all', POST)
  postId: string;

  @ApiPropertyOptional({ description: 'Not needed: the server knows the author.' })
  @IsUUID('all', { message: 'The authorId is not that of a member.' })
  @IsOptional()
  authorId?: string;

  @ApiProperty({ enum: ENGAGEMENT_KINDS })
  @IsIn(ENGAGEMENT_KINDS, { message: `The eventType must be one of ${ENGAGEMENT_KINDS.join(', ')}.` })
  eventType: EngagementKind;

  /** Milliseconds in view. */
  @Min(0, MEASURE)
  @IsNumber({}, MEASURE)
  @IsOptional()
  dwellTime?: number;

  /** 0 to 100, of a video. */
  @Min(0, MEASURE)
  @IsNumber({}, MEASURE)
  @IsOptional()
  watchPercent?: number;

  /** Of a rating: the rating. */
  @Min(0, MEASURE)
  @IsNumber({}, MEASURE)
  @IsOptional()
  eventValue?: number;
}
