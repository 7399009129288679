import { Module } from '@nestjs/common';
import { QuestsModule } from '../quests/quests.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { AdminReasons } from './admin-reasons.js';
import { AdminUsers } from './admin-users.js';
import { AdminController } from './admin.controller.js';
import { AdjustNovaHandler } from './commands/adjust-nova.js';
import { LiftFreezeHandler } from './commands/lift-freeze.js';
import { Moderation } from './moderation.js';
import { ExportTransactionsHandler } from './queries/export-transactions.js';
import { GetEventHandler } from './queries/get-event.js';
import { GetAdminStatsHandler } from './queries/get-stats.js';
import { ListAllTransactionsHandler } from './queries/list-all-transactions.js';
import { ListUsersHandler } from './queries/list-users.js';

/** What admins see and do. */
@Module({
  imports: [QuestsModule, WalletModule],
  controllers: [AdminController],
  providers: [
    AdminReasons,
    AdminUsers,
    Moderation,
    AdjustNovaHandler,
    LiftFreezeHandler,
    GetAdminStatsHandler,
    ListUsersHandler,
    ListAllTransactionsHandler,
    ExportTransactionsHandler,
    GetEventHandler,
  ],
  exports: [Moderation],
})
export class AdminModule {}
