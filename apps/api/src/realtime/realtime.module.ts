import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { ChatFrames } from './chat-frames.js';
import { ChatsOfMembers } from './chats-of-members.js';
import { Entrance } from './entrance.js';
import { FrameHandler } from './frame-handler.js';
import { RealtimeGateway } from './gateway.js';
import { IceServersController } from './ice-servers.controller.js';
import { LiveConnections } from './live-connections.js';
import { LiveEvents } from './live-events.js';
import { LiveMoney } from './live-money.js';
import { MessageReplay } from './message-replay.js';
import { PresenceModule } from './presence.module.js';
import { SessionWatch } from './session-watch.js';
import { Typing } from './typing.js';
import { VideoFrames } from './video-frames.js';
import { VideoSessions } from './video-sessions.js';

/** The live connection at `/ws`: messages, typing, presence, signalling (`decisions.md`, Realtime). */
@Module({
  imports: [ChatsModule, IdentityModule, PresenceModule, WalletModule],
  controllers: [IceServersController],
  providers: [
    ChatFrames,
    ChatsOfMembers,
    Entrance,
    FrameHandler,
    LiveConnections,
    LiveEvents,
    LiveMoney,
    MessageReplay,
    RealtimeGateway,
    SessionWatch,
    Typing,
    VideoFrames,
    VideoSessions,
  ],
})
export class RealtimeModule {}
