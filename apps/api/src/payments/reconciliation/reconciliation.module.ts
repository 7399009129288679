import { Module } from '@nestjs/common';
import { AdminModule } from '../../admin/admin.module.js';
import { GeneralLedgerModule } from '../../finance/general-ledger/general-ledger.module.js';
import { IdentityModule } from '../../identity/identity.module.js';
import { WalletModule } from '../../wallet/wallet.module.js';
import { PaymentsModule } from '../payments.module.js';
import { BeginReconciliationHandler } from './begin-reconciliation.js';
import { ExplainDifferenceHandler, Explanations, ExplainSubjectHandler } from './explain-difference.js';
import { Reconciling } from './reconciling.js';
import { ReconciliationController } from './reconciliation.controller.js';
import { ReconciliationMetrics } from './reconciliation-metrics.js';
import { ReconciliationViews } from './reconciliation-views.js';
import { SettleDifferenceHandler } from './settle-difference.js';

/** Compares the payment provider's books with ours (`docs/reconciliation.md`). */
@Module({
  imports: [AdminModule, GeneralLedgerModule, IdentityModule, PaymentsModule, WalletModule],
  controllers: [ReconciliationController],
  providers: [
    BeginReconciliationHandler,
    ExplainDifferenceHandler,
    Explanations,
    ExplainSubjectHandler,
    Reconciling,
    ReconciliationMetrics,
    ReconciliationViews,
    SettleDifferenceHandler,
  ],
})
export class ReconciliationModule {}
