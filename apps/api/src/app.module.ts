import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule } from './admin/admin.module.js';
import { AdminPanelModule } from './admin/admin-panel.module.js';
import { ChatsModule } from './chats/chats.module.js';
import { ContentModule } from './content/content.module.js';
import { DiscoveryModule } from './discovery/discovery.module.js';
import { FeedModule } from './feed/feed.module.js';
import { BooksModule } from './finance/books.module.js';
import { BackupsModule } from './backup/backups.module.js';
import { CheckpointsModule } from './finance/checkpoints/checkpoints.module.js';
import { GeneralLedgerModule } from './finance/general-ledger/general-ledger.module.js';
import { PeriodsModule } from './finance/periods/periods.module.js';
import { ReceiptsModule } from './finance/receipts/receipts.module.js';
import { GiftsModule } from './gifts/gifts.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { MembersModule } from './members/members.module.js';
import { NexusModule } from './nexus/nexus.module.js';
import { NoticesModule } from './notices/notices.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { PasskeysModule } from './passkeys/passkeys.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { ReceivablesModule } from './payments/receivables/receivables.module.js';
import { ReconciliationModule } from './payments/reconciliation/reconciliation.module.js';
import { PlatformModule, type PlatformParts } from './platform/platform.module.js';
import { UploadsModule } from './platform/uploads/uploads.module.js';
import { ProfilesModule } from './profiles/profiles.module.js';
import { QuestsModule } from './quests/quests.module.js';
import { RealtimeModule } from './realtime/realtime.module.js';
import { ResonanceModule } from './resonance/resonance.module.js';
import { StatusModule } from './status/status.module.js';
import { TakeoutModule } from './takeout/takeout.module.js';
import { AppMoneyModule } from './app-money/app-money.module.js';
import { MonthStatementsModule } from './wallet/month-statements/month-statements.module.js';
import { WalletModule } from './wallet/wallet.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** One module a business area, on the platform that all share. */
@Module({})
export class AppModule {
  static register(parts: PlatformParts): DynamicModule {
    const money = [WalletModule, MonthStatementsModule, PaymentsModule, GiftsModule];
    const areas = [
      UploadsModule,
      IdentityModule,
      PasskeysModule,
      ...money,
      AdminModule,
      AdminPanelModule,
      BooksModule,
      GeneralLedgerModule,
      PeriodsModule,
      BackupsModule,
      CheckpointsModule,
      ReceiptsModule,
      ReceivablesModule,
      ReconciliationModule,
      ProfilesModule,
      MembersModule,
      ChatsModule,
      NoticesModule,
      RealtimeModule,
      DiscoveryModule,
      ContentModule,
      FeedModule,
      NexusModule,
      QuestsModule,
      ResonanceModule,
      StatusModule,
      OAuthModule,
      AppMoneyModule,
      WebhooksModule,
      TakeoutModule,
    ];
    return { module: AppModule, imports: [PlatformModule.register(parts), ...areas] };
  }
}
