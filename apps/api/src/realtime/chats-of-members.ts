import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { ChatAccess, present, sideOf } from '../chats/chat-access.js';
import { ChatMessages, type MessageDraft } from '../chats/chat-messages.js';
import { type ChatRecord, ChatStore } from '../chats/chat-store.js';
import { AppError } from '../platform/errors/app-error.js';

/** Whoever sends too fast waits so long before each next try. */
const TRY_AGAIN_MS = 100;
const TRIES_MAX = 50;

/** Chats as sockets need them. */
@Injectable()
export class ChatsOfMembers {
  constructor(
    private readonly chats: ChatStore,
    private readonly access: ChatAccess,
    private readonly messages: ChatMessages,
  ) {}

  /**
   * The other side of a chat of this member.
   * @throws AppError 404 `CHAT_NOT_FOUND` there is none, or the member is not one of its two
   */
  async partner(chatId: string, memberId: string): Promise<string> {
    return partnerOf(await this.chats.known(chatId), memberId);
  }

  /**
   * The same, of a chat that is active now.
   * @throws AppError 404 `CHAT_NOT_FOUND`, 409 `CHAT_NOT_ACTIVE`
   */
  async activePartner(chatId: string, memberId: string): Promise<string> {
    const { chat } = await this.access.current(chatId, memberId);
    if (chat.state.status === 'active') return partnerOf(chat, memberId);
    throw new AppError(409, 'CHAT_NOT_ACTIVE', 'Video is possible in an active chat only.');
  }

  /**
   * Sends a message and answers its id. Whoever sends too many is slowed, not refused: what they send meanwhile waits in
   * their socket's queue, which is bounded.
   * @throws AppError what `ChatMessages.send` refuses
   */
  async send(draft: MessageDraft): Promise<string> {
    for (let tries = 1; ; tries++) {
      try {
        return (await this.messages.send(draft)).message.id;
      } catch (error) {
        const isTooFast = error instanceof AppError && error.statusCode === 429;
        if (!isTooFast || tries === TRIES_MAX) throw error;
        await pause(TRY_AGAIN_MS);
      }
    }
  }
}

function partnerOf(record: ChatRecord, memberId: string): string {
  const chat = present(record);
  const { hostId, initiatorId } = chat.state;
  return sideOf(chat, memberId) === 'host' ? initiatorId : hostId;
}
