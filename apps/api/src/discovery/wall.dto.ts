import { ApiProperty } from '@nestjs/swagger';
import { WALL_COMMENT_MAX } from '@app/domain';
import { MemberText } from '../platform/text.js';

/** `POST /api/profile/{userId}/wall` (rule discovery-14). */
export class NewWallCommentDto {
  @ApiProperty({ minLength: 1, maxLength: WALL_COMMENT_MAX })
  @MemberText(
    { min: 1, max: WALL_COMMENT_MAX },
    { message: `A comment must have 1 to ${WALL_COMMENT_MAX} characters.`, context: { code: 'INVALID_COMMENT' } },
  )
  comment: string;
}

export class WallCommenterDto {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
}

/** A comment on a wall (rule discovery-14). */
export class WallCommentDto {
  id: string;
  comment: string;
  commenterName: string;
  commenter: WallCommenterDto;
  novaPaid: number;
  createdAt: string;
}

export class WallDto {
  /** Newest first. */
  comments: WallCommentDto[];
  nextCursor: string | null;
  /** How many there are in all. */
  total: number;
}

export class PostedWallCommentDto {
  comment: WallCommentDto;
  novaDeducted: number;
  novaBalance: number;
}
