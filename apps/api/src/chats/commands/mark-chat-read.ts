import { ApiProperty } from '@nestjs/swagger';
import { Command, CommandHandler, EventBus, type ICommandHandler } from '@nestjs/cqrs';
import { IsUUID } from 'class-validator';
import { AppError } from '../../platform/errors/app-error.js';
import { ChatAccess } from '../chat-access.js';
import { ChatReads } from '../chat-reads.js';
import { ChatTexts } from '../chat-texts.js';

/** `POST /api/chats/{id}/read`. */
export class MarkChatReadDto {
  /** The newest message that was shown; it and older ones count as read. */
  @ApiProperty({ format: 'uuid' })
  @IsUUID(undefined, { message: 'Please say which message was read.', context: { code: 'INVALID_MESSAGE' } })
  messageId: string;
}

/** The member has read the chat through this message, on whichever device. */
export class MarkChatRead extends Command<void> {
  constructor(
    readonly chatId: string,
    readonly memberId: string,
    readonly messageId: string,
  ) {
    super();
  }
}

/** A member has read on in a chat, through what was said at that time (rule chats-38). */
export class ChatWasRead {
  constructor(
    readonly chatId: string,
    readonly memberId: string,
    readonly readThrough: Date,
  ) {}
}

@CommandHandler(MarkChatRead)
export class MarkChatReadHandler implements ICommandHandler<MarkChatRead> {
  constructor(
    private readonly access: ChatAccess,
    private readonly texts: ChatTexts,
    private readonly reads: ChatReads,
    private readonly events: EventBus,
  ) {}

  /** @throws AppError 404 `CHAT_NOT_FOUND`, or `MESSAGE_NOT_FOUND` the chat has no such message */
  async execute({ chatId, memberId, messageId }: MarkChatRead): Promise<void> {
    const { messageIds, lastMessageAt } = (await this.access.current(chatId, memberId)).chat.state;
    if (!messageIds.has(messageId)) throw new AppError(404, 'MESSAGE_NOT_FOUND', 'This chat has no such message.');
    // The event of a message is a little later than its text: with the newest one, everything has been read.
    const isNewest = messageIds.last(1)[0] === messageId;
    const saidAt = isNewest ? lastMessageAt : (await this.texts.find([messageId])).get(messageId)?.createdAt;
    if (saidAt === undefined) return;
    const readThrough = new Date(saidAt);
    if (await this.reads.mark(memberId, chatId, readThrough)) {
      this.events.publish(new ChatWasRead(chatId, memberId, readThrough));
    }
  }
}
