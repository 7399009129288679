import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MESSAGE_CHARACTERS_MAX } from '@app/domain';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Allow } from 'class-validator';
import { AppError } from '../../platform/errors/app-error.js';
import { chatNotFound } from '../chat-rejections.js';
import { ChatMessages, type MessageDraft } from '../chat-messages.js';
import type { SentMessageDto } from '../chats.dto.js';

const CLIENT_MESSAGE_ID = {
  type: String,
  maxLength: 64,
  description: 'Unique per chat and sender: the same again answers with the message of the first time.',
} as const;

/** `POST /api/chats/{id}/messages`. What a message may be is said in one place: `ChatMessages`. */
export class ChatMessageDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: MESSAGE_CHARACTERS_MAX })
  @Allow()
  message: unknown;

  @ApiPropertyOptional(CLIENT_MESSAGE_ID)
  @Allow()
  clientMessageId?: unknown;
}

/** `POST /api/messages` (rule general-13). */
export class MessageDto {
  @ApiProperty({ type: String, format: 'uuid' })
  @Allow()
  chatId: unknown;

  @ApiProperty({ type: String, minLength: 1, maxLength: MESSAGE_CHARACTERS_MAX })
  @Allow()
  text: unknown;

  @ApiPropertyOptional({ type: String, description: 'When given, the signed-in member.' })
  @Allow()
  senderId?: unknown;

  @ApiPropertyOptional(CLIENT_MESSAGE_ID)
  @Allow()
  clientMessageId?: unknown;
}

export class SendMessage extends Command<SentMessageDto> {
  constructor(readonly draft: MessageDraft) {
    super();
  }
}

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(private readonly messages: ChatMessages) {}

  /** @throws AppError as `ChatMessages.send` */
  execute({ draft }: SendMessage): Promise<SentMessageDto> {
    return this.messages.send(draft);
  }
}

/** This call names chat and sender in its body. @throws AppError 403 another sender, 404 no id of a chat */
export function readMessage(
  { chatId, text, senderId, clientMessageId }: MessageDto,
  memberId: string,
): Omit<MessageDraft, 'requestId'> {
  if (typeof chatId !== 'string') throw chatNotFound();
  if (senderId !== undefined && senderId !== null && senderId !== memberId) {
    throw new AppError(403, 'FOREIGN_SENDER', 'A message is sent by whoever is signed in.');
  }
  return { memberId, chatId: chatId.toLowerCase(), text, clientMessageId };
}
