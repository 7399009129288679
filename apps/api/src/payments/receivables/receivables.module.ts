import { Module } from '@nestjs/common';
import { AdminModule } from '../../admin/admin.module.js';
import { IdentityModule } from '../../identity/identity.module.js';
import { WalletModule } from '../../wallet/wallet.module.js';
import { ListReceivablesHandler } from './list-receivables.js';
import { ReceivableSweeper } from './receivable-sweeper.js';
import { ReceivablesController } from './receivables.controller.js';
import { WriteOffReceivableHandler } from './write-off-receivable.js';

/** What members owe for reversed purchases, and how it ends (`docs/reconciliation.md`). */
@Module({
  imports: [AdminModule, IdentityModule, WalletModule],
  controllers: [ReceivablesController],
  providers: [ListReceivablesHandler, ReceivableSweeper, WriteOffReceivableHandler],
})
export class ReceivablesModule {}
