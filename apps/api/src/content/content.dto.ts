import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CAPTION_MAX, HASHTAGS_MAX } from '@app/domain';
import { IsArray, IsIn, IsOptional, IsString, IsUUID, Matches, MaxLength, ArrayMaxSize } from 'class-validator';
import { MEDIA_TYPES, type MediaType } from '../discovery/discovery.dto.js';
import { MemberText } from '../platform/text.js';

const HASHTAG_MAX = 50;
const MEDIA_URL_MAX = 2_000;

/** Letters, digits and `_` of any script that show something. */
const HASHTAG = /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{M}_-]){1,50}$/u;

/** `POST /api/content/scroll-feed` and `…/discovery` (rule uploads-2). What the file is, its content decides. */
export class NewContentDto {
  @ApiPropertyOptional({ enum: MEDIA_TYPES, description: 'What the client takes it for.' })
  @IsIn(MEDIA_TYPES, { message: 'contentType must be image or video.' })
  @IsOptional()
  contentType?: MediaType;

  @ApiProperty({ description: '`mediaUrl` of the upload.', maxLength: MEDIA_URL_MAX })
  @MaxLength(MEDIA_URL_MAX, { message: 'The mediaUrl is not that of an upload.' })
  @IsString({ message: 'Please upload a file first.', context: { code: 'REQUIRED' } })
  mediaUrl: string;

  @ApiPropertyOptional({ maxLength: CAPTION_MAX })
  @MemberText({ max: CAPTION_MAX }, { message: `The caption must be at most ${CAPTION_MAX} characters.` })
  @IsOptional()
  caption?: string | null;

  @ApiPropertyOptional({ type: [String], maxItems: HASHTAGS_MAX, description: 'Without the #.' })
  @Matches(HASHTAG, {
    each: true,
    message: `A tag must have 1 to ${HASHTAG_MAX} letters, digits, _ or -, without the #.`,
    context: { code: 'INVALID_HASHTAG' },
  })
  @IsString({ each: true, message: 'Tags must be words.' })
  @ArrayMaxSize(HASHTAGS_MAX, { message: `There can be at most ${HASHTAGS_MAX} tags.` })
  @IsArray({ message: 'Tags must be a list of words.' })
  @IsOptional()
  hashtags?: string[] | null;
}

/** A content item, as its owner sees it (rule profiles-9). */
export class ContentItemDto {
  id: string;
  @ApiProperty({ enum: MEDIA_TYPES })
  contentType: MediaType;
  /** As decided from the file, with the codec where few browsers play it. @example video/mp4; codecs="hvc1" */
  mediaType: string;
  mediaUrl: string;
  thumbnailUrl: string | null;
  caption: string | null;
  hashtags: string[];
  viewCount: number;
  likeCount: number;
  commentCount: number;
  engagementScore: number;
  /** Nova. */
  totalEarnings: number;
  createdAt: string;
  /** Whether one's profile card shows it. */
  isCard: boolean;
}

/** `PUT /api/profile/card-content`. */
export class CardContentDto {
  @ApiProperty({ format: 'uuid' })
  @IsUUID('all', { message: 'The contentId is not that of your content.' })
  @IsString({ message: 'Please choose what your card shows.', context: { code: 'REQUIRED' } })
  contentId: string;
}
