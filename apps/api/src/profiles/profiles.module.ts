import { Module } from '@nestjs/common';
import { ChatSettingsStore } from './chat-settings.js';
import { ProfileSettingsController } from './profile-settings.controller.js';

/** What members say about themselves and how they want to be reached. */
@Module({
  controllers: [ProfileSettingsController],
  providers: [ChatSettingsStore],
  exports: [ChatSettingsStore],
})
export class ProfilesModule {}
