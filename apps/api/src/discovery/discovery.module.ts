import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { MembersModule } from '../members/members.module.js';
import { ResonanceModule } from '../resonance/resonance.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { CardPayments } from './card-payments.js';
import { NavigateCardHandler } from './commands/navigate-card.js';
import { PostWallCommentHandler } from './commands/post-wall-comment.js';
import { UpvoteCardHandler } from './commands/upvote-card.js';
import { DiscoveryController } from './discovery.controller.js';
import { CardOrder, OnlineRanking } from './queries/card-order.js';
import { Cards } from './queries/cards.js';
import { GetDiscoveryFeedHandler } from './queries/get-discovery-feed.js';
import { Wall } from './queries/wall.js';

/** Finding members, and what is paid on their cards. */
@Module({
  imports: [IdentityModule, MembersModule, ResonanceModule, WalletModule],
  controllers: [DiscoveryController],
  providers: [
    CardOrder,
    OnlineRanking,
    Cards,
    CardPayments,
    Wall,
    GetDiscoveryFeedHandler,
    UpvoteCardHandler,
    NavigateCardHandler,
    PostWallCommentHandler,
  ],
})
export class DiscoveryModule {}
