import { Module } from '@nestjs/common';
import { GiftsModule } from '../gifts/gifts.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { TokensController } from './app-money.controller.js';
import { ApplicationMoneys } from './application-moneys.js';
import { ApplicationWalletController } from './application-wallet.controller.js';
import { EarnInBulkHandler } from './commands/earn-in-bulk.js';
import { MoveTokensHandler } from './commands/move-tokens.js';
import { MoveWalletNovaHandler } from './commands/move-wallet-nova.js';
import { TransferTokensHandler } from './commands/transfer-tokens.js';
import { MemberApplicationsController } from './member-applications.controller.js';
import { MovementAnswers } from './movement-answers.js';
import { MovementNotes } from './movement-notes.js';
import { TokenGuard } from './needs-token.js';
import { NotedMovements } from './noted-movements.js';
import { OwnNameController } from './own-name.controller.js';
import { ResetTestDataHandler } from './test-mode/reset-test-data.js';
import { TestLedgers } from './test-mode/test-ledgers.js';
import { TestModeController } from './test-mode/test-mode.controller.js';
import { GetApplicationWalletHandler } from './queries/get-application-wallet.js';
import { GetTokenBalancesHandler } from './queries/get-token-balances.js';
import { ListApplicationUsesHandler } from './queries/list-application-uses.js';
import { ListTokenTransactionsHandler } from './queries/list-token-transactions.js';
import { ListWalletEntriesHandler } from './queries/list-wallet-entries.js';

/** Calls that applications make for members with an access token, and the wallets of applications. */
@Module({
  imports: [GiftsModule, IdentityModule, OAuthModule, WalletModule],
  controllers: [
    TokensController,
    OwnNameController,
    ApplicationWalletController,
    MemberApplicationsController,
    TestModeController,
  ],
  providers: [
    ApplicationMoneys,
    EarnInBulkHandler,
    GetApplicationWalletHandler,
    GetTokenBalancesHandler,
    ListApplicationUsesHandler,
    ListTokenTransactionsHandler,
    ListWalletEntriesHandler,
    MoveTokensHandler,
    MoveWalletNovaHandler,
    MovementAnswers,
    MovementNotes,
    NotedMovements,
    ResetTestDataHandler,
    TestLedgers,
    TokenGuard,
    TransferTokensHandler,
  ],
})
export class AppMoneyModule {}
