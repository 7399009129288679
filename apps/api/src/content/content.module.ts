import { Module } from '@nestjs/common';

/** Posts and the content of cards. */
@Module({})
export class ContentModule {}
