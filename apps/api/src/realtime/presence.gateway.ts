import {
  ConnectedSocket,
  MessageBody,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  SubscribeMessage,
} from '@nestjs/websockets';
import { Allow } from 'class-validator';
import { AppError } from '../platform/errors/app-error.js';
import { Frame } from '../platform/errors/validation.js';
import { LiveGateway } from './live-gateway.js';
import type { LiveSocket, Payload } from './live-socket.js';
import { LiveSockets } from './live-sockets.js';
import { Presence } from './presence.js';
import { VideoCalls } from './video-calls.js';

@Frame()
class JoinGlobal {
  /** The signed-in member: a client that says somebody else is mistaken about who it is. */
  @Allow()
  userId: unknown;
}

/** Members who come online and listen to everything. */
@LiveGateway()
export class PresenceGateway implements OnGatewayConnection<LiveSocket>, OnGatewayDisconnect<LiveSocket> {
  constructor(
    private readonly sockets: LiveSockets,
    private readonly presence: Presence,
    private readonly calls: VideoCalls,
  ) {}

  handleConnection(socket: LiveSocket): void {
    if (this.sockets.add(socket)) this.presence.connected(socket.data.member.id);
  }

  handleDisconnect({ data: { member } }: LiveSocket): void {
    if (!this.sockets.has(member.id)) this.presence.disconnected(member.id);
  }

  @SubscribeMessage('ping')
  ping(@ConnectedSocket() socket: LiveSocket): void {
    socket.emit('pong', {});
  }

  /**
   * From then on the page hears everything, a call that rings already as well (rule chats-36).
   * @throws AppError 403 `WRONG_MEMBER`
   */
  @SubscribeMessage('join_global')
  async joinGlobal(@ConnectedSocket() socket: LiveSocket, @MessageBody() { userId }: JoinGlobal): Promise<Payload> {
    if (userId !== socket.data.member.id) {
      throw new AppError(403, 'WRONG_MEMBER', 'You are signed in as somebody else.');
    }
    this.sockets.joinEverything(socket);
    socket.emit('joined_global', { userId });
    for (const call of await this.calls.ringingAt(userId)) socket.emit('video_chat_started', call);
    return { userId };
  }
}
