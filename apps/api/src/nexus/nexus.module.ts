import { PoolRewardQueries, ThreadQueries } from '@app/projections';
import { Module } from '@nestjs/common';
import type { Pool } from 'pg';
import { IdentityModule } from '../identity/identity.module.js';
import { MembersModule } from '../members/members.module.js';
import { PG_POOL } from '../platform/database/database.module.js';
import { NexusController } from './nexus.controller.js';
import { GetThreadStatsHandler } from './queries/get-thread-stats.js';
import { ListThreadsHandler, ThreadTexts } from './queries/list-threads.js';
import { ThreadOwners } from './thread-owners.js';
import { ThreadRewards } from './thread-rewards.js';

/** Members' chains of threads. */
@Module({
  imports: [IdentityModule, MembersModule],
  controllers: [NexusController],
  providers: [
    { provide: ThreadQueries, inject: [PG_POOL], useFactory: (pool: Pool) => new ThreadQueries(pool) },
    { provide: PoolRewardQueries, inject: [PG_POOL], useFactory: (pool: Pool) => new PoolRewardQueries(pool) },
    GetThreadStatsHandler,
    ListThreadsHandler,
    ThreadOwners,
    ThreadRewards,
    ThreadTexts,
  ],
})
export class NexusModule {}
