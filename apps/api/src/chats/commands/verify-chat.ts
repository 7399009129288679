import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IsBoolean } from 'class-validator';
import type { MessageResponse } from '../../identity/message.dto.js';
import { type ChatCaller, ChatCommands } from '../chat-commands.js';

/** `POST /api/chats/{id}/verify`. */
export class VerifyChatDto {
  @IsBoolean({ message: 'Say with isSuccessful whether the chat was successful: true or false.' })
  isSuccessful: boolean;
}

export class VerifyChat extends Command<MessageResponse> {
  constructor(
    readonly chatId: string,
    readonly isSuccessful: boolean,
    readonly caller: ChatCaller,
  ) {
    super();
  }
}

/** Records the caller's word about the outcome (rule chats-18). */
@CommandHandler(VerifyChat)
export class VerifyChatHandler implements ICommandHandler<VerifyChat> {
  constructor(private readonly commands: ChatCommands) {}

  /** @throws AppError 404, 409 it contradicts what was counted */
  async execute({ chatId, isSuccessful, caller }: VerifyChat): Promise<MessageResponse> {
    await this.commands.run(chatId, { type: 'VerifyChat', memberId: caller.memberId, isSuccessful }, caller);
    return { message: 'Thank you. Your answer was recorded.' };
  }
}
