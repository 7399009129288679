import { Injectable } from '@nestjs/common';
import { type ChatSide, sideOf as sideIn } from '@app/domain';
import { isUuid } from '../platform/uuid.js';
import { chatNotFound } from './chat-rejections.js';
import { type ChatRecord, ChatStore, type PresentChat } from './chat-store.js';

/** Checks whose chat it is before any rule. Absent and foreign chats get the same answer. */
@Injectable()
export class ChatAccess {
  constructor(private readonly chats: ChatStore) {}

  /** @throws AppError 404 `CHAT_NOT_FOUND` for strangers, absent chats and what is no id */
  async side(chatId: string, memberId: string): Promise<ChatSide> {
    return sideOf(present(isUuid(chatId) ? await this.chats.known(chatId) : undefined), memberId);
  }

  /** The other one of the chat's two. @throws AppError 404 `CHAT_NOT_FOUND` there is none, or the member is not one of them */
  async partner(chatId: string, memberId: string): Promise<string> {
    const chat = present(isUuid(chatId) ? await this.chats.known(chatId) : undefined);
    sideOf(chat, memberId);
    return otherMember(chat, memberId);
  }

  /** Whether the chat is open, as this process knows it. */
  async isOpen(chatId: string): Promise<boolean> {
    return (await this.chats.known(chatId)).state?.status === 'active';
  }

  /**
   * The chat with all that has happened in it.
   * @throws AppError 404 `CHAT_NOT_FOUND`
   */
  async current(chatId: string, memberId: string): Promise<{ readonly chat: PresentChat; readonly side: ChatSide }> {
    const chat = present(isUuid(chatId) ? await this.chats.current(chatId) : undefined);
    return { chat, side: sideOf(chat, memberId) };
  }
}

/** A request that was abandoned before it was made was never there. @throws AppError 404 */
export function present(record: ChatRecord | undefined): PresentChat {
  if (!record?.state || record.state.abandoned) throw chatNotFound();
  return { ...record, state: record.state };
}

/** @throws AppError 404 */
export function sideOf({ state }: PresentChat, memberId: string): ChatSide {
  const side = sideIn(state, memberId);
  if (!side) throw chatNotFound();
  return side;
}

export const otherMember = ({ state: { initiatorId, hostId } }: PresentChat, memberId: string): string =>
  memberId === hostId ? initiatorId : hostId;
