import { setTimeout as pause } from 'node:timers/promises';
import { CommandBus } from '@nestjs/cqrs';
import { ConnectedSocket, MessageBody, type OnGatewayDisconnect, SubscribeMessage } from '@nestjs/websockets';
import { Allow, IsOptional } from 'class-validator';
import { ChatAccess } from '../chats/chat-access.js';
import { SendMessage } from '../chats/commands/send-message.js';
import { Frame } from '../platform/errors/validation.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import { JoinedChats } from './joined-chats.js';
import { ChatFrame, ChatId, FrameId, LiveGateway } from './live-gateway.js';
import type { LiveSocket, Payload } from './live-socket.js';
import { MessageReplay } from './message-replay.js';
import { Typing } from './typing.js';

@Frame()
class JoinChat {
  @ChatId()
  chatId: string;

  /** The last message that the client has: later ones are sent again. Null stands for the beginning. */
  @IsOptional()
  @FrameId()
  after?: string | null;
}

/** `ChatMessages` alone decides what a message may be. */
@Frame()
class ChatMessage {
  @ChatId()
  chatId: string;

  @Allow()
  text: unknown;

  @Allow()
  clientMessageId?: unknown;
}

/** The frames about chats: joining one, sending a message, typing. */
@LiveGateway()
export class ChatsGateway implements OnGatewayDisconnect<LiveSocket> {
  constructor(
    private readonly commands: CommandBus,
    private readonly access: ChatAccess,
    private readonly joined: JoinedChats,
    private readonly replay: MessageReplay,
    private readonly typing: Typing,
    private readonly limits: RateLimits,
  ) {}

  handleDisconnect(socket: LiveSocket): void {
    this.typing.left(socket);
  }

  /** @throws AppError 404 `CHAT_NOT_FOUND` no such chat, or the member is not one of its two */
  @SubscribeMessage('join_chat')
  async join(@ConnectedSocket() socket: LiveSocket, @MessageBody() { chatId, after }: JoinChat): Promise<Payload> {
    const otherId = await this.access.partner(chatId, socket.data.member.id);
    this.joined.join(socket, chatId, otherId);
    socket.emit('joined', { chatId });
    if (after !== undefined) {
      await this.joined.replay(socket, chatId, () => this.replay.messagesAfter(chatId, after));
    }
    return { chatId };
  }

  /**
   * Acknowledges the message once it is durable. Everybody sees it when it arrives through the global stream.
   * @throws AppError what `ChatMessages.send` refuses
   */
  @SubscribeMessage('chat_message')
  async message(@ConnectedSocket() socket: LiveSocket, @MessageBody() frame: ChatMessage): Promise<Payload> {
    const memberId = socket.data.member.id;
    const { chatId, text, clientMessageId } = frame;
    await this.untilOneMayGo(memberId);
    const draft = { memberId, chatId, text, clientMessageId, requestId: undefined };
    const { message } = await this.commands.execute(new SendMessage(draft));
    this.typing.forget(socket, chatId);
    socket.emit('message_ack', { clientMessageId: clientMessageId ?? null, id: message.id });
    return { id: message.id };
  }

  @SubscribeMessage('typing_start')
  async startTyping(@ConnectedSocket() socket: LiveSocket, @MessageBody() { chatId }: ChatFrame): Promise<void> {
    const otherId = await this.partner(socket, chatId);
    if (await this.access.isOpen(chatId)) this.typing.start(socket, { chatId, otherId });
  }

  @SubscribeMessage('typing_stop')
  async stopTyping(@ConnectedSocket() socket: LiveSocket, @MessageBody() { chatId }: ChatFrame): Promise<void> {
    await this.partner(socket, chatId);
    this.typing.stop(socket, chatId);
  }

  private async partner(socket: LiveSocket, chatId: string): Promise<string> {
    return this.joined.partnerIn(socket, chatId) ?? (await this.access.partner(chatId, socket.data.member.id));
  }

  /**
   * Slows members who send too many, instead of refusing them: their further frames wait in their socket's queue, which
   * is bounded. The command that follows takes its place in the same turn of the event loop, so that no other socket of
   * the member comes between.
   */
  private async untilOneMayGo(memberId: string): Promise<void> {
    const { chatMessages } = this.limits;
    for (let waitMs = chatMessages.waitMs(memberId); waitMs > 0; waitMs = chatMessages.waitMs(memberId)) {
      await pause(Math.ceil(waitMs));
    }
  }
}
