import { Module } from '@nestjs/common';
import { VerifiedLedger } from '@app/ledger';
import { Projections } from '@app/projections';
import type { Pool } from 'pg';
import { IdentityModule } from '../identity/identity.module.js';
import { Applications } from '../oauth/applications.js';
import { CONFIG, type Config } from '../platform/config.js';
import { PG_POOL } from '../platform/database/database.module.js';
import { PROJECTION_WAIT_MS } from '../wallet/read-models.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { BooksView } from './books-view.js';
import { BooksController } from './books.controller.js';
import { Books } from './books.js';
import { FiscalCalendar } from './general-ledger/fiscal-calendar.js';

/** Finance: the books at any moment, and exports of the journal. */
@Module({
  imports: [IdentityModule, WalletModule],
  controllers: [BooksController],
  providers: [
    {
      provide: Books,
      inject: [VerifiedLedger, PG_POOL, Projections],
      useFactory: (ledger: VerifiedLedger, pool: Pool, runner: Projections) =>
        new Books(ledger, pool, (models, revision) => runner.waitFor(models, revision, PROJECTION_WAIT_MS)),
    },
    {
      provide: FiscalCalendar,
      inject: [CONFIG],
      useFactory: ({ fiscalTimeZone }: Config) => new FiscalCalendar(fiscalTimeZone),
    },
    // Names alone.
    Applications,
    BooksView,
  ],
  exports: [Books, BooksView, FiscalCalendar],
})
export class BooksModule {}
