import { Body, Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { AdminOnly, NeedsSession } from '../auth/access.js';
import { CurrentUser, type SignedInMember } from '../auth/member.js';
import { type Config, InjectConfig } from '../config.js';
import { CarriesSecret } from '../http/compressed.js';
import { IssueUploadTicket } from './issue-upload-ticket.js';
import type { UploadTicket } from './uploads.js';

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

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Takes a picture of a video by PUT, before the file is registered. Null: the server takes one itself.',
  })
  posterURL: string | null;

  @ApiProperty({ format: 'date-time' })
  expiresAt: string;
}

/** Addresses that take a file (rule uploads-4). */
@ApiTags('Uploads')
@NeedsSession()
@Controller('api')
export class UploadTicketsController {
  constructor(
    private readonly commands: CommandBus,
    @InjectConfig() private readonly config: Config,
  ) {}

  @ApiOperation({ summary: 'An address for an image or a video of at most 50 MB' })
  @ApiOkResponse({ type: UploadTicketDto })
  @HttpCode(200)
  @Post('content/upload-url')
  content(
    @CurrentUser() { id: memberId }: SignedInMember,
    @Req() request: FastifyRequest,
    @Body() { size, contentType }: UploadRequestDto,
  ): Promise<UploadTicketDto> {
    return this.issue(request, { memberId, size, contentType, purpose: 'content' });
  }

  @ApiOperation({ summary: 'An address for an image of at most 10 MB' })
  @ApiOkResponse({ type: UploadTicketDto })
  @HttpCode(200)
  @Post('profile/image-upload-url')
  profileImage(
    @CurrentUser() { id: memberId }: SignedInMember,
    @Req() request: FastifyRequest,
    @Body() { size, contentType }: UploadRequestDto,
  ): Promise<UploadTicketDto> {
    return this.issue(request, { memberId, size, contentType, purpose: 'profile-image' });
  }

  @ApiOperation({ summary: 'An address for a file that is assigned to a member then: at most 100 MB' })
  @ApiOkResponse({ type: UploadTicketDto })
  @AdminOnly()
  @Get('admin/content/upload-url')
  @CarriesSecret()
  adminContent(
    @CurrentUser() { id: memberId }: SignedInMember,
    @Req() request: FastifyRequest,
    @Query() { size, contentType }: UploadRequestDto,
  ): Promise<UploadTicketDto> {
    return this.issue(request, { memberId, size, contentType, purpose: 'admin-content' });
  }

  private async issue(request: FastifyRequest, upload: IssueUploadTicket['upload']): Promise<UploadTicketDto> {
    const ticket = await this.commands.execute(new IssueUploadTicket(upload));
    const { uploadURL, posterURL } = ticket;
    return {
      ...ticket,
      uploadURL: this.atCallersAddress(uploadURL, request),
      posterURL: posterURL === null ? null : this.atCallersAddress(posterURL, request),
    };
  }

  /** A page that was opened at another name of this server (127.0.0.1, a port that is forwarded) may send to that one only. */
  private atCallersAddress(uploadURL: string, request: FastifyRequest): string {
    const ours = new URL(this.config.publicUrl);
    const url = new URL(uploadURL);
    if (url.origin === ours.origin && request.host !== '') url.host = request.host;
    return url.href;
  }
}
