import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChatAccess, present, sideOf } from '../chats/chat-access.js';
import type { MessageDraft } from '../chats/chat-messages.js';
import { type ChatRecord, ChatStore } from '../chats/chat-store.js';
import { SendMessage } from '../chats/commands/send-message.js';
import { AppError } from '../platform/errors/app-error.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';

/** Chats as sockets need them. */
@Injectable()
export class ChatsOfMembers {
  constructor(
    private readonly chats: ChatStore,
    private readonly access: ChatAccess,
    private readonly commands: CommandBus,
    private readonly limits: RateLimits,
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
    await this.untilOneMayGo(draft.memberId);
    return (await this.commands.execute(new SendMessage(draft))).message.id;
  }

  /**
   * Nothing is awaited between this and the command's own count, so that no other socket of the member comes between.
   */
  private async untilOneMayGo(memberId: string): Promise<void> {
    const { chatMessages } = this.limits;
    for (let waitMs = chatMessages.waitMs(memberId); waitMs > 0; waitMs = chatMessages.waitMs(memberId)) {
      await pause(Math.ceil(waitMs));
    }
  }
}

function partnerOf(record: ChatRecord, memberId: string): string {
  const chat = present(record);
  const { hostId, initiatorId } = chat.state;
  return sideOf(chat, memberId) === 'host' ? initiatorId : hostId;
}
