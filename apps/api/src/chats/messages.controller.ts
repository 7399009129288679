import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiConflictResponse, ApiCreatedResponse, ApiNotFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { TEXT_BODY_BYTES_MAX, TakesBody } from '../platform/http/bodies.js';
import { RequestId } from '../platform/http/request-id.js';
import { SentMessageDto } from './chats.dto.js';
import { MessageDto, readMessage, SendMessage } from './commands/send-message.js';

/** The other way to send a message (rule general-13). */
@ApiTags('Chats')
@NeedsSession()
@Controller('api/messages')
export class MessagesController {
  constructor(private readonly commands: CommandBus) {}

  @ApiOperation({ summary: 'Send a message, the chat named in the body' })
  @ApiCreatedResponse({ type: SentMessageDto })
  @ApiNotFoundResponse({ description: 'There is no such chat, or the caller is not one of its two.' })
  @ApiConflictResponse({ description: 'The chat takes no messages.' })
  @TakesBody(TEXT_BODY_BYTES_MAX)
  @Post()
  send(
    @CurrentUser() { id }: SignedInMember,
    @Body() body: MessageDto,
    @RequestId() requestId: string,
  ): Promise<SentMessageDto> {
    return this.commands.execute(new SendMessage({ ...readMessage(body, id), requestId }));
  }
}
