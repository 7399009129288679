import { Module } from '@nestjs/common';
import { WalletModule } from '../../wallet/wallet.module.js';
import { PeriodsModule } from '../periods/periods.module.js';
import { ReceiptsController } from './receipts.controller.js';
import { Receipts } from './receipts.js';

/** Inclusion receipts (`docs/receipts.md`). */
@Module({
  imports: [PeriodsModule, WalletModule],
  controllers: [ReceiptsController],
  providers: [Receipts],
})
export class ReceiptsModule {}
