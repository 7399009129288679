import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { AdminQuestsController } from './admin-quests.controller.js';
import { ClaimQuestHandler } from './commands/claim-quest.js';
import { CreateQuestHandler, QuestRecords } from './commands/create-quest.js';
import { GetQuestProgressHandler } from './queries/get-quest-progress.js';
import { ListAllQuestsHandler } from './queries/list-all-quests.js';
import { ListQuestsHandler } from './queries/list-quests.js';
import { QuestCounting } from './quest-counting.js';
import { QuestProgress } from './quest-progress.js';
import { QuestsController } from './quests.controller.js';
import { Quests } from './quests.js';

/** Quests: made by admins, counted from events, rewarded once. */
@Module({
  imports: [IdentityModule, WalletModule],
  controllers: [QuestsController, AdminQuestsController],
  providers: [
    QuestCounting,
    QuestProgress,
    QuestRecords,
    Quests,
    ClaimQuestHandler,
    CreateQuestHandler,
    GetQuestProgressHandler,
    ListAllQuestsHandler,
    ListQuestsHandler,
  ],
  exports: [Quests],
})
export class QuestsModule {}
