import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AppError } from '../../platform/errors/app-error.js';
import { Uploads } from '../../platform/uploads/uploads.js';
import { ProfilePictures } from '../profile-pictures.js';
import type { PictureResponse } from '../profile-pictures.dto.js';

export class SetThumbnail extends Command<PictureResponse> {
  constructor(
    readonly memberId: string,
    readonly bytes: Buffer,
  ) {
    super();
  }
}

/** The first bytes of a JPEG; the rest is checked when it is stored. */
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** Makes the cropped area the profile picture throughout the app and the thumbnail of the card (rule profiles-12). */
@CommandHandler(SetThumbnail)
export class SetThumbnailHandler implements ICommandHandler<SetThumbnail> {
  constructor(
    private readonly uploads: Uploads,
    private readonly pictures: ProfilePictures,
  ) {}

  /** @throws AppError 413, 415 not a JPEG */
  async execute({ memberId, bytes }: SetThumbnail): Promise<PictureResponse> {
    if (!bytes.subarray(0, JPEG.length).equals(JPEG)) {
      throw new AppError(415, 'UNSUPPORTED_FILE', 'The thumbnail must be a JPEG image.');
    }
    const { url } = await this.uploads.storeImage({ memberId, bytes, purpose: 'thumbnail' });
    try {
      return { message: 'Your thumbnail was saved.', ...(await this.pictures.show(memberId, url, url)) };
    } catch (error) {
      await this.pictures.removeUnused(memberId, url);
      throw error;
    }
  }
}
