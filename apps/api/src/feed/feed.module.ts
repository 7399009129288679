import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { PresenceModule } from '../realtime/presence.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { EngageHandler } from './commands/engage.js';
import { ReactionFigures, ReactToPostHandler } from './commands/react-to-post.js';
import { ScrollPostHandler } from './commands/scroll-post.js';
import { UsePerkHandler } from './commands/use-perk.js';
import { FeedController } from './feed.controller.js';
import { PostOwners } from './post-owners.js';
import { Posts } from './queries/posts.js';
import { StatusBar } from './queries/status-bar.js';
import { Viewings } from './viewings.js';

/** Posts of members, and what viewers do with them. */
@Module({
  imports: [IdentityModule, PresenceModule, WalletModule],
  controllers: [FeedController],
  providers: [
    Posts,
    PostOwners,
    ReactionFigures,
    StatusBar,
    Viewings,
    EngageHandler,
    ReactToPostHandler,
    ScrollPostHandler,
    UsePerkHandler,
  ],
})
export class FeedModule {}
