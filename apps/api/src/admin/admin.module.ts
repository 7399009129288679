import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { ContentModule } from '../content/content.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { MembersModule } from '../members/members.module.js';
import { QuestsModule } from '../quests/quests.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { AccountDeletionSweeper } from './account-deletion-sweeper.js';
import { AccountDeletions } from './account-deletions.js';
import { AccountsController } from './accounts.controller.js';
import { AdminActs } from './admin-acts.js';
import { AdminReasons } from './admin-reasons.js';
import { AdminUsers } from './admin-users.js';
import { AdminController } from './admin.controller.js';
import { AdminList } from './admins/admin-list.js';
import { AdminsController } from './admins/admins.controller.js';
import { ChangeAdminHandler } from './admins/change-admin.js';
import { ApprovalList } from './approvals/approval-list.js';
import { ApprovalSweeper } from './approvals/approval-sweeper.js';
import { Approvals } from './approvals/approvals.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { ApproveActHandler, DeclineActHandler } from './approvals/decide-act.js';
import { ApplyBulkGrantsHandler } from './bulk-grants/apply-bulk-grants.js';
import { BulkBatches } from './bulk-grants/bulk-batches.js';
import { BulkGrantsController } from './bulk-grants/bulk-grants.controller.js';
import { CheckBulkGrantsHandler } from './bulk-grants/check-bulk-grants.js';
import { WaitingFiles } from './bulk-grants/waiting-files.js';
import { GrantPlans } from './bulk-grants/grant-plan.js';
import { AdjustNovaHandler } from './commands/adjust-nova.js';
import { BlockEmailHandler } from './commands/block-email.js';
import { ChangeRatingHandler } from './commands/change-rating.js';
import { DeleteAccountHandler } from './commands/delete-account.js';
import { LiftFreezeHandler } from './commands/lift-freeze.js';
import { ResetSecretHandler } from './commands/reset-secret.js';
import { UnblockEmailHandler } from './commands/unblock-email.js';
import { ChangeControlsHandler } from './controls/change-controls.js';
import { ControlsController } from './controls/controls.controller.js';
import { ControlSettings } from './controls/controls.js';
import { GetControlsHandler } from './controls/get-controls.js';
import { Moderation } from './moderation.js';
import { ExportTransactionsHandler } from './queries/export-transactions.js';
import { GetEventHandler } from './queries/get-event.js';
import { GetAdminStatsHandler } from './queries/get-stats.js';
import { GetUserCommentsHandler } from './queries/get-user-comments.js';
import { ListAllTransactionsHandler } from './queries/list-all-transactions.js';
import { ListBlockedEmailsHandler } from './queries/list-blocked-emails.js';
import { ListUsersHandler } from './queries/list-users.js';
import { PreviewReversalHandler } from './reversals/preview-reversal.js';
import { ReversalsController } from './reversals/reversals.controller.js';
import { ReverseMovementHandler } from './reversals/reverse-movement.js';
import { ReversibleMovements } from './reversals/reversible-movements.js';
import { ListWatchesHandler } from './watches/list-watches.js';
import { RemoveWatchHandler, SetWatchHandler } from './watches/set-watch.js';
import { WatchProcess } from './watches/watch-process.js';
import { WatchSettings } from './watches/watch-settings.js';
import { WatchesController } from './watches/watches.controller.js';

/** What admins see and do. */
@Module({
  imports: [ChatsModule, ContentModule, IdentityModule, MembersModule, QuestsModule, WalletModule],
  controllers: [
    AdminController,
    AccountsController,
    AdminsController,
    ApprovalsController,
    BulkGrantsController,
    ReversalsController,
    ControlsController,
    WatchesController,
  ],
  providers: [
    AccountDeletions,
    AccountDeletionSweeper,
    AdjustNovaHandler,
    AdminActs,
    AdminList,
    AdminReasons,
    AdminUsers,
    ApplyBulkGrantsHandler,
    ApprovalList,
    Approvals,
    ApprovalSweeper,
    ApproveActHandler,
    BulkBatches,
    CheckBulkGrantsHandler,
    GrantPlans,
    BlockEmailHandler,
    ChangeAdminHandler,
    ChangeControlsHandler,
    ChangeRatingHandler,
    ControlSettings,
    DeclineActHandler,
    DeleteAccountHandler,
    ExportTransactionsHandler,
    GetAdminStatsHandler,
    GetControlsHandler,
    GetEventHandler,
    GetUserCommentsHandler,
    LiftFreezeHandler,
    ListAllTransactionsHandler,
    ListBlockedEmailsHandler,
    ListUsersHandler,
    ListWatchesHandler,
    Moderation,
    PreviewReversalHandler,
    ResetSecretHandler,
    ReverseMovementHandler,
    ReversibleMovements,
    RemoveWatchHandler,
    SetWatchHandler,
    UnblockEmailHandler,
    WaitingFiles,
    WatchProcess,
    WatchSettings,
  ],
  exports: [AdminReasons, Approvals, ControlSettings, Moderation],
})
export class AdminModule {}
