import { Injectable } from '@nestjs/common';
import { CHATS_PER_SOCKET_MAX } from './limits.js';
import type { LiveSocket, Payload } from './live-socket.js';
import { LiveSockets } from './live-sockets.js';
import type { ReplayedMessage } from './message-replay.js';

/** A chat that a socket joined. */
interface JoinedChat {
  readonly otherId: string;
  /** The revision of the chat's newest message that was sent to this socket. */
  through: number;
  /** Messages that arrived while older ones were being read. */
  heldBack: ReplayedMessage[] | undefined;
}

/** The chats that sockets joined: each message goes to a socket once and in its place. */
@Injectable()
export class JoinedChats {
  private readonly joined = new WeakMap<LiveSocket, Map<string, JoinedChat>>();

  constructor(private readonly sockets: LiveSockets) {}

  /**
   * Joins a chat. A socket with the most chats allowed leaves its oldest. A socket that closed in the meantime joins
   * nothing.
   */
  join(socket: LiveSocket, chatId: string, otherId: string): void {
    if (!socket.connected) return;
    const chats = this.of(socket);
    const through = chats.get(chatId)?.through ?? -1;
    chats.delete(chatId);
    chats.set(chatId, { otherId, through, heldBack: undefined });
    this.joined.set(socket, chats);
    this.sockets.joinChat(socket, chatId, otherId);
    if (chats.size > CHATS_PER_SOCKET_MAX) this.leaveOldest(socket, chats);
  }

  /** The other side of a chat that the socket joined. */
  partnerIn(socket: LiveSocket, chatId: string): string | undefined {
    return this.of(socket).get(chatId)?.otherId;
  }

  /** Sends a new message: once, and after the older ones that are being read. */
  tell(socket: LiveSocket, chatId: string, message: ReplayedMessage): void {
    const chat = this.of(socket).get(chatId);
    if (chat?.heldBack) {
      chat.heldBack.push(message);
      return;
    }
    if (chat) {
      if (message.revision <= chat.through) return;
      chat.through = message.revision;
    }
    say(socket, message.payload);
  }

  /** Sends the messages that `read` returns before any that arrive in the meantime. */
  async replay(socket: LiveSocket, chatId: string, read: () => Promise<readonly ReplayedMessage[]>): Promise<void> {
    const chat = this.of(socket).get(chatId);
    if (!chat) return;
    const heldBack: ReplayedMessage[] = [];
    chat.heldBack = heldBack;
    try {
      for (const { revision, payload } of await read()) {
        say(socket, payload);
        chat.through = Math.max(chat.through, revision);
      }
    } finally {
      chat.heldBack = undefined;
      for (const message of heldBack) this.tell(socket, chatId, message);
    }
  }

  private leaveOldest(socket: LiveSocket, chats: Map<string, JoinedChat>): void {
    const [oldest] = chats;
    if (!oldest) return;
    const [chatId, { otherId }] = oldest;
    chats.delete(chatId);
    const isLast = ![...chats.values()].some((chat) => chat.otherId === otherId);
    this.sockets.leaveChat(socket, { chatId, otherId, isLast });
  }

  private of(socket: LiveSocket): Map<string, JoinedChat> {
    return this.joined.get(socket) ?? new Map();
  }
}

const say = (socket: LiveSocket, payload: Payload): void => void socket.emit('new_message', payload);
