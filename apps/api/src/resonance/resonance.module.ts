import { Module } from '@nestjs/common';

/** Members' Resonance profiles. */
@Module({})
export class ResonanceModule {}
