import { Module } from '@nestjs/common';
import { LiveSockets } from './live-sockets.js';
import { Presence } from './presence.js';
import { PresenceStore } from './presence-store.js';
import { SocketMetrics } from './socket-metrics.js';
import { Relay } from './relay.js';

/**
 * Who is shown online. Separate from the gateway, so that chats and discovery can ask without knowing about sockets.
 */
@Module({
  providers: [LiveSockets, PresenceStore, Presence, Relay, SocketMetrics],
  exports: [LiveSockets, Presence, Relay],
})
export class PresenceModule {}
