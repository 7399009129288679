import { Body, Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { AdminOnly, NeedsSession } from '../auth/access.js';
import { CurrentUser, type SignedInMember } from '../auth/member.js';
import { type Config, InjectConfig } from '../config.js';
import { declaredFormat, kindOf } from './media/media-format.js';
import { PURPOSE_LIMITS, unsupportedFile } from './upload-limits.js';
import { type UploadPurpose, Uploads, type UploadTicket } from './uploads.js';

const CONTENT_TYPE_MAX = 200;

export class UploadRequestDto {
  @ApiPropertyOptional({ description: 'Bytes. The address then takes a file of exactly this size.', minimum: 1 })
  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: 'The size must be a whole number of bytes.' })
  @Min(1, { message: 'The file is empty.' })
  size?: number;

  @ApiPropertyOptional({ description: 'Refused at once where it is never taken.', example: 'image/jpeg' })
  @IsOptional()
  @IsString({ message: 'The content type must be text.' })
  @MaxLength(CONTENT_TYPE_MAX, { message: 'The content type is too long.' })
  contentType?: string;
}

export class UploadTicketDto implements UploadTicket {
  @ApiProperty({ description: 'Takes the file by one PUT.' })
  uploadURL: string;

  @ApiProperty({ description: 'What the call that registers the file takes.', example: '/objects/uploads/{id}' })
  mediaUrl: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt: string;
}

/** Addresses that take a file (S1 §4 Profile, Upload flow; §7). */
@ApiTags('Uploads')
@NeedsSession()
@Controller('api')
export class UploadTicketsController {
  constructor(
    private readonly uploads: Uploads,
    @InjectConfig() private readonly config: Config,
  ) {}

  @ApiOperation({ summary: 'An address for an image or a video of at most 50 MB' })
  @ApiOkResponse({ type: UploadTicketDto })
  @HttpCode(200)
  @Post('content/upload-url')
  content(
    @CurrentUser() member: SignedInMember,
    @Req() request: FastifyRequest,
    @Body() asked: UploadRequestDto,
  ): Promise<UploadTicketDto> {
    return this.issue({ member, request, asked, purpose: 'content' });
  }

  @ApiOperation({ summary: 'An address for an image of at most 10 MB' })
  @ApiOkResponse({ type: UploadTicketDto })
  @HttpCode(200)
  @Post('profile/image-upload-url')
  profileImage(
    @CurrentUser() member: SignedInMember,
    @Req() request: FastifyRequest,
    @Body() asked: UploadRequestDto,
  ): Promise<UploadTicketDto> {
    return this.issue({ member, request, asked, purpose: 'profile-image' });
  }

  @ApiOperation({ summary: 'An address for a file that is assigned to a member then: at most 100 MB' })
  @ApiOkResponse({ type: UploadTicketDto })
  @AdminOnly()
  @Get('admin/content/upload-url')
  adminContent(
    @CurrentUser() member: SignedInMember,
    @Req() request: FastifyRequest,
    @Query() asked: UploadRequestDto,
  ): Promise<UploadTicketDto> {
    return this.issue({ member, request, asked, purpose: 'admin-content' });
  }

  private async issue(ask: {
    readonly member: SignedInMember;
    readonly request: FastifyRequest;
    readonly asked: UploadRequestDto;
    readonly purpose: UploadPurpose;
  }): Promise<UploadTicketDto> {
    const { member, request, asked, purpose } = ask;
    const { kinds } = PURPOSE_LIMITS[purpose];
    if (asked.contentType !== undefined) {
      const format = declaredFormat(asked.contentType);
      if (format === undefined || !kinds.includes(kindOf(format))) throw unsupportedFile(kinds);
    }
    const ticket = await this.uploads.issue({ memberId: member.id, purpose, size: asked.size });
    return { ...ticket, uploadURL: this.atCallersAddress(ticket.uploadURL, request) };
  }

  /** A page that was opened at another name of this server (127.0.0.1, a port that is forwarded) may send to that one only. */
  private atCallersAddress(uploadURL: string, request: FastifyRequest): string {
    const ours = new URL(this.config.publicUrl);
    const url = new URL(uploadURL);
    if (url.origin === ours.origin && request.host !== '') url.host = request.host;
    return url.href;
  }
}
