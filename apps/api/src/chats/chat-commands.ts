import { Injectable } from '@nestjs/common';
import type { ChatCommand } from '@app/domain';
import { ChatAccess, present } from './chat-access.js';
import { ChatReadModels } from './chat-read-models.js';
import { chatRejectionError } from './chat-rejections.js';
import { ChatSettlement } from './chat-settlement.js';
import { ChatStore, type PresentChat } from './chat-store.js';

/** The member who asks, and the request that it came with. */
export interface ChatCaller {
  readonly memberId: string;
  readonly requestId?: string | undefined;
}

/** The way that every command of a member on a chat goes: access, decision, money, then the lists that show it. */
@Injectable()
export class ChatCommands {
  constructor(
    private readonly access: ChatAccess,
    private readonly chats: ChatStore,
    private readonly settlement: ChatSettlement,
    private readonly readModels: ChatReadModels,
  ) {}

  /**
   * The chat after the command, its money moved; lists and balances show it unless they are a second behind.
   * @throws AppError 404 for strangers, else what the chat's refusal says
   */
  async run(chatId: string, command: ChatCommand, { memberId, requestId }: ChatCaller): Promise<PresentChat> {
    await this.access.side(chatId, memberId);
    const outcome = await this.chats.execute(chatId, command, { actor: `member:${memberId}`, requestId });
    if ('rejection' in outcome) throw chatRejectionError(outcome.rejection, this.chats.now());
    const { revision } = await this.settlement.settleOrLeave(outcome.record);
    await this.readModels.movedUpTo(chatId, revision);
    return present(outcome.record);
  }
}
