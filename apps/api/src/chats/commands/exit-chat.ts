import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyUses } from '../../platform/key-uses/key-uses.js';
import { toNova } from '../../wallet/nova-amount.js';
import { type ChatCaller, ChatCommands } from '../chat-commands.js';
import { refundedOf } from '../chat-views.js';
import type { ExitedChatDto } from '../chats.dto.js';

export class ExitChat extends Command<ExitedChatDto> {
  constructor(
    readonly chatId: string,
    readonly caller: ChatCaller,
  ) {
    super();
  }
}

/** Terminate Chat: by the host all goes back (rule chats-21); by the initiator what had been said is paid (rule chats-22). */
@CommandHandler(ExitChat)
export class ExitChatHandler implements ICommandHandler<ExitChat> {
  constructor(
    private readonly keys: KeyUses,
    private readonly commands: ChatCommands,
  ) {}

  /** @throws AppError 404, 409 the chat has ended, 422 key reused */
  async execute({ chatId, caller }: ExitChat): Promise<ExitedChatDto> {
    const { memberId, idempotencyKey: key } = caller;
    const { state } = await this.keys.guard({ scope: `member:${memberId}:chats.exit`, key, body: [chatId] }, () =>
      this.commands.run(chatId, { type: 'TerminateChat', memberId, cause: 'exit' }, caller),
    );
    return {
      message: 'The chat was terminated.',
      chatId,
      refunded: toNova(refundedOf(state)),
      paid: toNova(state.terminated?.due ?? 0n),
    };
  }
}
