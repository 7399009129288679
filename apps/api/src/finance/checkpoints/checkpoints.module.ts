import { Module } from '@nestjs/common';
import { DailyCheckpoints } from './daily-checkpoints.js';

/** Checkpoints of a signed journal (`docs/ledger.md`). */
@Module({ providers: [DailyCheckpoints] })
export class CheckpointsModule {}
