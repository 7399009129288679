import { Module } from '@nestjs/common';
import { AdminModule } from '../../admin/admin.module.js';
import { IdentityModule } from '../../identity/identity.module.js';
import { AdminPeriodsController } from './admin-periods.controller.js';
import { CloseBooksHandler } from './close-books.js';
import { DailyClosing } from './daily-closing.js';
import { PeriodClosing } from './period-closing.js';
import { PeriodRootsController } from './period-roots.controller.js';

/** Closed periods (`docs/receipts.md`). */
@Module({
  imports: [AdminModule, IdentityModule],
  controllers: [AdminPeriodsController, PeriodRootsController],
  providers: [CloseBooksHandler, PeriodClosing, DailyClosing],
  exports: [PeriodClosing],
})
export class PeriodsModule {}
