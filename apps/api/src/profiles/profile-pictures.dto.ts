import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

const MEDIA_URL_MAX = 2_000;

/** `POST /api/profile/image`. */
export class ProfileImageDto {
  @ApiProperty({ description: '`mediaUrl` of the upload.', maxLength: MEDIA_URL_MAX })
  @MaxLength(MEDIA_URL_MAX, {
    message: 'The imageUrl is not that of an upload.',
    context: { code: 'INVALID_MEDIA_URL' },
  })
  @IsString({ message: 'Please upload an image first.', context: { code: 'REQUIRED' } })
  imageUrl: string;
}

/** `POST /api/profile/thumbnail`, a form. */
export class ThumbnailForm {
  @ApiProperty({ type: 'string', format: 'binary', description: 'A JPEG.' })
  thumbnail: unknown;
}

export class PictureResponse {
  /** A sentence for people. */
  message: string;
  profileImageUrl: string;
  profileCardThumbnailUrl: string | null;
}
