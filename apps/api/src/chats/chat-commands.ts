import { Injectable } from '@nestjs/common';
import { type ChatCommand, type ChatRejection, decideChatCommand } from '@app/domain';
import type { By } from '../platform/journal/stream-metadata.js';
import { causeOfKey } from '../platform/ledger/cause-of-key.js';
import { ChatAccess, present } from './chat-access.js';
import { ChatReadModels } from './chat-read-models.js';
import { chatRejectionError } from './chat-rejections.js';
import { ChatSettlement } from './chat-settlement.js';
import { ChatStore, type PresentChat } from './chat-store.js';

/** The member who asks, and the request that it came with. */
export interface ChatCaller {
  readonly memberId: string;
  readonly requestId: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

export type ChatAfterCommand = PresentChat & {
  /** The same call had done it before. */
  readonly isRepeated: boolean;
};

/** The steps of every member's command on a chat: access, decision, money, then the lists that show it. */
@Injectable()
export class ChatCommands {
  constructor(
    private readonly access: ChatAccess,
    private readonly chats: ChatStore,
    private readonly settlement: ChatSettlement,
    private readonly readModels: ChatReadModels,
  ) {}

  /**
   * The chat after the command, its money moved; lists and balances show it unless they are a second behind. What the caller's
   * key did before is not refused.
   * @throws AppError 404 for strangers, else what the chat's refusal says
   */
  async run(chatId: string, command: ChatCommand, caller: ChatCaller): Promise<ChatAfterCommand> {
    await this.access.side(chatId, caller.memberId);
    const by = actorOf(caller, command);
    const outcome = await this.chats.execute(chatId, command, by);
    const isRepeated = 'rejection' in outcome;
    if (isRepeated) await this.refuseUnlessRepeated(chatId, outcome.rejection, by);
    const { revision } = await this.settlement.settleOrLeave(outcome.record);
    await this.readModels.movedUpTo(chatId, revision);
    return { ...present(outcome.record), isRepeated };
  }

  /** Before something is written for a command. @throws AppError as `run` would, as the chat is now */
  async foresee(chatId: string, command: ChatCommand, caller: ChatCaller): Promise<void> {
    const { chat } = await this.access.current(chatId, caller.memberId);
    const decision = decideChatCommand(chat.state, command, this.chats.now());
    if ('rejection' in decision) await this.refuseUnlessRepeated(chatId, decision.rejection, actorOf(caller, command));
  }

  private async refuseUnlessRepeated(chatId: string, rejection: ChatRejection, by: By): Promise<void> {
    if (!(await this.chats.hasActed(chatId, by))) throw chatRejectionError(rejection, this.chats.now());
  }
}

const actorOf = ({ memberId, requestId, idempotencyKey }: ChatCaller, { type }: ChatCommand): By => ({
  actor: `member:${memberId}`,
  correlationId: requestId,
  cause: causeOfKey(type, idempotencyKey),
});
