import { Module } from '@nestjs/common';

/** Members' chains of threads. */
@Module({})
export class NexusModule {}
