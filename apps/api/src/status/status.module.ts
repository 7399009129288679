import { Module } from '@nestjs/common';
import { RatingQueries } from '@app/projections';
import type { Pool } from 'pg';
import { ChatsModule } from '../chats/chats.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { MembersModule } from '../members/members.module.js';
import { PG_POOL } from '../platform/database/database.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { BurnTokensHandler } from './commands/burn-tokens.js';
import { CreateTestPerksHandler } from './commands/create-test-perks.js';
import { GetDashboardHandler } from './queries/get-dashboard.js';
import { GetInfluenceHandler } from './queries/get-influence.js';
import { GetNovaBreakdownHandler } from './queries/get-nova-breakdown.js';
import { ListPendingRatingsHandler } from './queries/list-pending-ratings.js';
import { PendingRatings } from './queries/pending-ratings.js';
import { StatusController } from './status.controller.js';

/** The status dashboard: tokens, ratings to give, rewards that wait. */
@Module({
  imports: [ChatsModule, IdentityModule, MembersModule, WalletModule],
  controllers: [StatusController],
  providers: [
    BurnTokensHandler,
    CreateTestPerksHandler,
    GetDashboardHandler,
    GetInfluenceHandler,
    GetNovaBreakdownHandler,
    ListPendingRatingsHandler,
    PendingRatings,
    { provide: RatingQueries, inject: [PG_POOL], useFactory: (pool: Pool) => new RatingQueries(pool) },
  ],
})
export class StatusModule {}
