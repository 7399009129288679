import { Module } from '@nestjs/common';
import { DiscoveryController } from './discovery.controller.js';
import { GetDiscoveryFeedHandler } from './queries/get-discovery-feed.js';

/** Finding members to chat with. */
@Module({
  controllers: [DiscoveryController],
  providers: [GetDiscoveryFeedHandler],
})
export class DiscoveryModule {}
