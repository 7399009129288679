import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { PresenceModule } from '../realtime/presence.module.js';
import { ChatSettingsStore } from './chat-settings.js';
import { ChangeChatSettingsHandler } from './commands/change-chat-settings.js';
import { DescribeOneselfHandler } from './commands/describe-oneself.js';
import { SetProfileImageHandler } from './commands/set-profile-image.js';
import { SetThumbnailHandler } from './commands/set-thumbnail.js';
import { UpdateProfileHandler } from './commands/update-profile.js';
import { ProfileController } from './profile.controller.js';
import { ProfilePictures } from './profile-pictures.js';
import { ProfilePicturesController } from './profile-pictures.controller.js';
import { ProfileSettingsController } from './profile-settings.controller.js';
import { ProfileStore } from './profile-store.js';
import { GetProfileHandler } from './queries/get-profile.js';
import { SelfDescriptionController } from './self-description.controller.js';

/** What members say about themselves and how they want to be reached. */
@Module({
  imports: [IdentityModule, PresenceModule],
  controllers: [ProfileController, ProfilePicturesController, ProfileSettingsController, SelfDescriptionController],
  providers: [
    ChangeChatSettingsHandler,
    ChatSettingsStore,
    DescribeOneselfHandler,
    GetProfileHandler,
    ProfilePictures,
    ProfileStore,
    SetProfileImageHandler,
    SetThumbnailHandler,
    UpdateProfileHandler,
  ],
  exports: [ChatSettingsStore],
})
export class ProfilesModule {}
