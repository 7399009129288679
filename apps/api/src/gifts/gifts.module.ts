import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { MembersModule } from '../members/members.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { SendGiftHandler } from './commands/send-gift.js';
import { GiftRecipients } from './gift-recipients.js';
import { GiftsController } from './gifts.controller.js';
import { GetGiftHistoryHandler } from './queries/get-gift-history.js';
import { PreviewGiftHandler } from './queries/preview-gift.js';

/** Gifts between members. */
@Module({
  imports: [IdentityModule, MembersModule, WalletModule],
  controllers: [GiftsController],
  providers: [GiftRecipients, SendGiftHandler, PreviewGiftHandler, GetGiftHistoryHandler],
  exports: [GiftRecipients],
})
export class GiftsModule {}
