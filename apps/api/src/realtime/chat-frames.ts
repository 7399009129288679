import { Injectable } from '@nestjs/common';
import { ChatsOfMembers } from './chats-of-members.js';
import { LiveSockets } from './live-sockets.js';
import type { LiveSocket, Payload } from './live-socket.js';
import { chatIdOf, idOf } from './frame-fields.js';
import { MessageReplay } from './message-replay.js';
import { Typing } from './typing.js';

/** What a socket may ask of a chat: to join it, to say something, to be seen typing. */
@Injectable()
export class ChatFrames {
  constructor(
    private readonly chats: ChatsOfMembers,
    private readonly sockets: LiveSockets,
    private readonly replay: MessageReplay,
    private readonly typingStates: Typing,
  ) {}

  /** Only for the chat's two. With `after`, the messages that came after that one follow; null is the beginning. */
  async join(socket: LiveSocket, payload: Payload): Promise<Payload> {
    const chatId = chatIdOf(payload);
    const after =
      payload['after'] === undefined || payload['after'] === null ? payload['after'] : idOf(payload, 'after');
    const otherId = await this.chats.partner(chatId, socket.memberId);
    this.sockets.join(socket, chatId, otherId);
    socket.send('joined', { chatId });
    if (after !== undefined) await socket.replay(chatId, () => this.replay.messagesAfter(chatId, after));
    return { chatId };
  }

  /** Acknowledged once it is durable; everybody sees it when it comes by the global stream. */
  async message(socket: LiveSocket, payload: Payload): Promise<Payload> {
    const chatId = chatIdOf(payload);
    const { text, clientMessageId } = payload;
    const id = await this.chats.send({
      memberId: socket.memberId,
      chatId,
      text,
      clientMessageId,
      requestId: undefined,
    });
    this.typingStates.forget(socket, chatId);
    socket.send('message_ack', { clientMessageId: clientMessageId ?? null, id });
    return { id };
  }

  async typing(socket: LiveSocket, payload: Payload, change: 'start' | 'stop'): Promise<void> {
    const chatId = chatIdOf(payload);
    const otherId = socket.partnerIn(chatId) ?? (await this.chats.partner(chatId, socket.memberId));
    if (change === 'start') this.typingStates.start(socket, { chatId, otherId });
    else this.typingStates.stop(socket, chatId);
  }
}
