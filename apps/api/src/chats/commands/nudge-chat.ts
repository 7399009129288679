import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { type ChatCaller, ChatCommands } from '../chat-commands.js';

export class NudgeChat extends Command<MessageResponse> {
  constructor(
    readonly chatId: string,
    readonly caller: ChatCaller,
  ) {
    super();
  }
}

/** Notifies the other side, at most once a minute (rule chats-17). */
@CommandHandler(NudgeChat)
export class NudgeChatHandler implements ICommandHandler<NudgeChat> {
  constructor(private readonly commands: ChatCommands) {}

  /** @throws AppError 404, 409 the chat is not active, 429 nudged less than a minute ago */
  async execute({ chatId, caller }: NudgeChat): Promise<MessageResponse> {
    await this.commands.run(chatId, { type: 'NudgeChat', memberId: caller.memberId }, caller);
    return { message: 'The other side was notified.' };
  }
}
