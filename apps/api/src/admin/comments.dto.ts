import { ApiProperty } from '@nestjs/swagger';
import { AdminUserDto } from './admin.dto.js';

/** Of every rating there is, 1 to 100; an average of none is 0. */
export class CommentStatsDto {
  @ApiProperty({ type: 'integer' })
  totalRatingsReceived: number;

  @ApiProperty({ type: 'integer' })
  totalRatingsMade: number;

  @ApiProperty({ minimum: 0, maximum: 100, example: 81.5 })
  averageRatingReceived: number;

  @ApiProperty({ minimum: 0, maximum: 100, example: 64.25 })
  averageRatingGiven: number;
}

abstract class RatingEntryDto {
  id: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100 })
  rating: number;

  @ApiProperty({ type: String, nullable: true, description: 'Null where nothing was written, or it was erased.' })
  comment: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of a low rating.' })
  explanation: string | null;

  chatId: string;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

export class RatingAboutUserDto extends RatingEntryDto {
  raterId: string;

  raterName: string;
}

export class RatingMadeByUserDto extends RatingEntryDto {
  ratedUserId: string;

  ratedUserName: string;
}

/** `GET /api/admin/users/{id}/comments` (rule admin-11): the figures of all, the newest of each list. */
export class UserCommentsDto {
  user: AdminUserDto;

  stats: CommentStatsDto;

  ratingsAboutUser: RatingAboutUserDto[];

  ratingsMadeByUser: RatingMadeByUserDto[];
}
