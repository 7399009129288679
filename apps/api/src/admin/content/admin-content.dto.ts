import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CONTENT_SURFACES, type ContentSurface } from '@app/domain';
import { IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { MEDIA_TYPES, type MediaType } from '../../discovery/discovery.dto.js';
import { EmptyIsAbsent } from '../../platform/text.js';
import { Limit } from '../../wallet/paging.dto.js';
import { PaginationDto } from '../admin.dto.js';
import { PageDto, Search } from '../page.dto.js';

const MEDIA_URL_MAX = 2_000;

/** `GET /api/admin/content`, 20 a page (rule admin-3). */
export class AdminContentQueryDto extends PageDto {
  @Search()
  search?: string;

  @Limit()
  limit: number = 20;

  @ApiPropertyOptional({ enum: MEDIA_TYPES })
  @IsIn(MEDIA_TYPES, { message: 'contentType must be image or video.' })
  @EmptyIsAbsent()
  @IsOptional()
  contentType?: MediaType;
}

/** A content item as admins see it. */
export class AdminContentItemDto {
  id: string;
  @ApiProperty({ enum: MEDIA_TYPES })
  contentType: MediaType;
  /** Where it is shown. */
  @ApiProperty({ enum: CONTENT_SURFACES })
  surface: ContentSurface;
  mediaUrl: string;
  thumbnailUrl: string | null;
  caption: string | null;
  hashtags: string[];
  authorId: string;
  authorName: string;
  authorEmail: string;
  viewCount: number;
  likeCount: number;
  commentCount: number;
  engagementScore: number;
  /** Nova. */
  totalEarnings: number;
  createdAt: string;
}

export class AdminContentDto {
  content: AdminContentItemDto[];
  pagination: PaginationDto;
}

/** `POST /api/admin/content/assign`. What the file is, its content decides. */
export class AssignContentDto {
  @IsUUID('all', { message: 'Please choose a member.', context: { code: 'REQUIRED' } })
  userId: string;

  @ApiProperty({ description: '`mediaUrl` of the upload.', maxLength: MEDIA_URL_MAX })
  @MaxLength(MEDIA_URL_MAX, { message: 'The mediaUrl is not that of an upload.' })
  @IsString({ message: 'Please choose a file.', context: { code: 'REQUIRED' } })
  mediaUrl: string;

  @ApiPropertyOptional({ enum: MEDIA_TYPES })
  @IsIn(MEDIA_TYPES, { message: 'contentType must be image or video.' })
  @IsOptional()
  contentType?: MediaType;

  @ApiPropertyOptional({ enum: CONTENT_SURFACES, default: 'discovery' })
  @IsIn(CONTENT_SURFACES, { message: 'surface must be feed or discovery.' })
  @IsOptional()
  surface: ContentSurface = 'discovery';
}
