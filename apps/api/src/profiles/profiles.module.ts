import { Module } from '@nestjs/common';
import { PresenceModule } from '../realtime/presence.module.js';
import { ChatSettingsStore } from './chat-settings.js';
import { ProfileSettingsController } from './profile-settings.controller.js';

/** What members say about themselves and how they want to be reached. */
@Module({
  imports: [PresenceModule],
  controllers: [ProfileSettingsController],
  providers: [ChatSettingsStore],
  exports: [ChatSettingsStore],
})
export class ProfilesModule {}
