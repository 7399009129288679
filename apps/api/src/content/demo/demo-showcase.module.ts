import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/identity.module.js';
import { ProfilesModule } from '../../profiles/profiles.module.js';
import { ContentModule } from '../content.module.js';
import { DemoEngagement } from './demo-engagement.js';
import { DemoFiles } from './demo-files.js';
import { DemoIntroductions } from './demo-introductions.js';
import { DemoShowcase } from './demo-showcase.js';

/** Portraits, clips and posts of the demo members. */
@Module({
  imports: [ContentModule, IdentityModule, ProfilesModule],
  providers: [DemoEngagement, DemoFiles, DemoIntroductions, DemoShowcase],
})
export class DemoShowcaseModule {}
