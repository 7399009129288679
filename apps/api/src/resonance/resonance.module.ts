import { Module } from '@nestjs/common';
import { SaveResonanceHandler } from './commands/save-resonance.js';
import { GetResonanceHandler } from './queries/get-resonance.js';
import { ResonanceController } from './resonance.controller.js';
import { ResonanceStore } from './resonance-store.js';

/** Members' Resonance profiles. */
@Module({
  controllers: [ResonanceController],
  providers: [ResonanceStore, SaveResonanceHandler, GetResonanceHandler],
  exports: [ResonanceStore],
})
export class ResonanceModule {}
