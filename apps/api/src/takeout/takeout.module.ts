import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { OrderTakeoutHandler } from './commands/order-takeout.js';
import { TakeoutArchive } from './takeout-archive.js';
import { TakeoutHousekeeping } from './takeout-housekeeping.js';
import { TakeoutRounds } from './takeout-rounds.js';
import { TakeoutController } from './takeout.controller.js';
import { Takeouts } from './takeouts.js';

/** Everything of a member as a ZIP file. What is in it, each area says beside its tables. */
@Module({
  imports: [IdentityModule],
  controllers: [TakeoutController],
  providers: [Takeouts, TakeoutArchive, TakeoutRounds, TakeoutHousekeeping, OrderTakeoutHandler],
})
export class TakeoutModule {}
