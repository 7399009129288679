import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
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

/** Terminate Chat (S1 §4): by the host all goes back; by the initiator what had been said is paid (`decisions.md`, Chats). */
@CommandHandler(ExitChat)
export class ExitChatHandler implements ICommandHandler<ExitChat> {
  constructor(private readonly commands: ChatCommands) {}

  /** @throws AppError 404, 409 the chat has ended */
  async execute({ chatId, caller }: ExitChat): Promise<ExitedChatDto> {
    const command = { type: 'TerminateChat', memberId: caller.memberId, cause: 'exit' } as const;
    const { state } = await this.commands.run(chatId, command, caller);
    return {
      message: 'The chat was terminated.',
      chatId,
      refunded: toNova(refundedOf(state)),
      paid: toNova(state.terminated?.due ?? 0n),
    };
  }
}
