import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { MembersModule } from '../members/members.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { ChatsGateway } from './chats.gateway.js';
import { Entrance } from './entrance.js';
import { IceServersController } from './ice-servers.controller.js';
import { JoinedChats } from './joined-chats.js';
import { LiveEngine } from './live-engine.js';
import { LiveEvents } from './live-events.js';
import { LiveMoney } from './live-money.js';
import { MessageReplay } from './message-replay.js';
import { NovaIoAdapter, SessionWatch } from './nova-io.adapter.js';
import { PresenceGateway } from './presence.gateway.js';
import { PresenceModule } from './presence.module.js';
import { TellOfReading } from './told-reading.js';
import { Typing } from './typing.js';
import { EndVideoCallHandler, StartVideoCallHandler, VideoCalls, VideoSessions } from './video-calls.js';
import { VideoGateway } from './video.gateway.js';

/** The live connection at `/ws`: messages, typing, presence, signalling. */
@Module({
  imports: [ChatsModule, IdentityModule, MembersModule, PresenceModule, WalletModule],
  controllers: [IceServersController],
  providers: [
    ChatsGateway,
    EndVideoCallHandler,
    Entrance,
    JoinedChats,
    LiveEngine,
    LiveEvents,
    LiveMoney,
    MessageReplay,
    NovaIoAdapter,
    PresenceGateway,
    SessionWatch,
    StartVideoCallHandler,
    TellOfReading,
    Typing,
    VideoCalls,
    VideoGateway,
    VideoSessions,
  ],
})
export class RealtimeModule {}
