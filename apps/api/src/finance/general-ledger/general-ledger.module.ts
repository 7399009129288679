import { Module } from '@nestjs/common';
import { AdminModule } from '../../admin/admin.module.js';
import { BooksModule } from '../books.module.js';
import { PostAdjustmentHandler } from './adjustments.js';
import { BooksStream } from './books-stream.js';
import { CloseDollarBooksHandler } from './close-dollar-books.js';
import { GeneralLedgerController } from './general-ledger.controller.js';
import { GeneralLedgerReports } from './general-ledger-reports.js';
import { GeneralLedgerView } from './general-ledger-view.js';
import { SetPolicyHandler } from './policies.js';
import { ProviderMovements } from './provider-movements.js';

/** The general ledger in dollars (`docs/accounting.md`). */
@Module({
  imports: [AdminModule, BooksModule],
  controllers: [GeneralLedgerController],
  providers: [
    BooksStream,
    CloseDollarBooksHandler,
    GeneralLedgerReports,
    GeneralLedgerView,
    PostAdjustmentHandler,
    ProviderMovements,
    SetPolicyHandler,
  ],
  exports: [BooksStream, ProviderMovements],
})
export class GeneralLedgerModule {}
