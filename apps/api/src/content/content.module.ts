import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { CardContent } from './card-content.js';
import { ChooseCardHandler } from './commands/choose-card.js';
import { PublishContentHandler } from './commands/publish-content.js';
import { RemoveContentHandler } from './commands/remove-content.js';
import { ContentRecords } from './content-records.js';
import { ContentController } from './content.controller.js';
import { Contents } from './contents.js';
import { Publishing } from './publishing.js';
import { MyContent } from './queries/my-content.js';
import { UnfinishedRemovals } from './unfinished-removals.js';

/** What members show: posts of the feed, and content for their profile card. */
@Module({
  imports: [IdentityModule],
  controllers: [ContentController],
  providers: [
    Contents,
    ContentRecords,
    CardContent,
    Publishing,
    MyContent,
    ChooseCardHandler,
    PublishContentHandler,
    RemoveContentHandler,
    UnfinishedRemovals,
  ],
  exports: [Contents, ContentRecords, CardContent, Publishing],
})
export class ContentModule {}
