import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Uploads } from '../../platform/uploads/uploads.js';
import { ProfilePictures } from '../profile-pictures.js';
import type { PictureResponse } from '../profile-pictures.dto.js';

export class SetProfileImage extends Command<PictureResponse> {
  constructor(
    readonly memberId: string,
    readonly mediaUrl: string,
  ) {
    super();
  }
}

/** Makes an uploaded image the profile picture (rule profiles-12). */
@CommandHandler(SetProfileImage)
export class SetProfileImageHandler implements ICommandHandler<SetProfileImage> {
  constructor(
    private readonly uploads: Uploads,
    private readonly pictures: ProfilePictures,
  ) {}

  /** @throws AppError 400, 404 no such upload of this member, 409 nothing was sent yet, 413, 415 no image */
  async execute({ memberId, mediaUrl }: SetProfileImage): Promise<PictureResponse> {
    const { url } = await this.uploads.claim({ memberId, mediaUrl, purpose: 'profile-image' });
    return { message: 'Your profile picture was changed.', ...(await this.pictures.show(memberId, url, null)) };
  }
}
