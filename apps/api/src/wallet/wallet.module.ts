import { Module } from '@nestjs/common';
import { Projections } from '@app/projections';
import type { Pool } from 'pg';
import { IdentityModule } from '../identity/identity.module.js';
import { Applications } from '../oauth/applications.js';
import { PG_POOL } from '../platform/database/database.module.js';
import { EventDetails } from './event-details.js';
import { JournalEvents } from './journal-events.js';
import { LaterEvents } from './later-events.js';
import { GetBalanceHandler } from './queries/get-balance.js';
import { GetTransactionTotalsHandler } from './queries/get-transaction-totals.js';
import { GetTransactionHandler } from './queries/get-transaction.js';
import { ListTransactionsHandler } from './queries/list-transactions.js';
import { OwnEvents } from './own-events.js';
import { ReadModels } from './read-models.js';
import { Transactions } from './transactions.js';
import { WalletTakeout } from './wallet-takeout.js';
import { WalletController } from './wallet.controller.js';

/** Members' balances and statements. */
@Module({
  imports: [IdentityModule],
  controllers: [WalletController],
  providers: [
    {
      provide: ReadModels,
      inject: [PG_POOL, Projections],
      useFactory: (pool: Pool, runner: Projections) => new ReadModels(pool, runner),
    },
    // Only for names: the module for applications' movements is built on this one.
    Applications,
    Transactions,
    JournalEvents,
    LaterEvents,
    EventDetails,
    OwnEvents,
    WalletTakeout,
    GetBalanceHandler,
    ListTransactionsHandler,
    GetTransactionHandler,
    GetTransactionTotalsHandler,
  ],
  exports: [Applications, ReadModels, Transactions, JournalEvents, LaterEvents, EventDetails, OwnEvents],
})
export class WalletModule {}
