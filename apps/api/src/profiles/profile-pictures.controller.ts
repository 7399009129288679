import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { FormFiles } from '../platform/uploads/multipart-file.js';
import { PURPOSE_LIMITS } from '../platform/uploads/upload-limits.js';
import { SetProfileImage } from './commands/set-profile-image.js';
import { SetThumbnail } from './commands/set-thumbnail.js';
import { PictureResponse, ProfileImageDto, ThumbnailForm } from './profile-pictures.dto.js';

/** The pictures that a member is known by (rule profiles-12). */
@ApiTags('Profile')
@NeedsSession()
@Controller('api/profile')
export class ProfilePicturesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly forms: FormFiles,
  ) {}

  @ApiOperation({ summary: 'Make an uploaded image the profile picture' })
  @ApiOkResponse({ type: PictureResponse })
  @HttpCode(200)
  @Post('image')
  image(@CurrentUser() { id }: SignedInMember, @Body() { imageUrl }: ProfileImageDto): Promise<PictureResponse> {
    return this.commands.execute(new SetProfileImage(id, imageUrl));
  }

  @ApiOperation({ summary: 'Make a cropped area the profile picture and the card’s thumbnail' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: ThumbnailForm })
  @ApiOkResponse({ type: PictureResponse })
  @HttpCode(200)
  @Post('thumbnail')
  thumbnail(@CurrentUser() { id }: SignedInMember, @Req() request: FastifyRequest): Promise<PictureResponse> {
    const form = { memberId: id, request, field: 'thumbnail', maxBytes: PURPOSE_LIMITS.thumbnail.bytesMax };
    return this.forms.take(form, ({ bytes }) => this.commands.execute(new SetThumbnail(id, bytes)));
  }
}
