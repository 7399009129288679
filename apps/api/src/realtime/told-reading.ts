import { EventsHandler, type IEventHandler } from '@nestjs/cqrs';
import { ChatWasRead } from '../chats/commands/mark-chat-read.js';
import { Relay } from './relay.js';

/** What is read on one device is read on all: the member's own sockets hear of it, in whichever process (rule chats-38). */
@EventsHandler(ChatWasRead)
export class TellOfReading implements IEventHandler<ChatWasRead> {
  constructor(private readonly relay: Relay) {}

  handle({ chatId, memberId, readThrough }: ChatWasRead): void {
    const payload = { chatId, readThrough: readThrough.toISOString() };
    this.relay.publish({ to: [memberId], chatId, type: 'chat_read', payload });
  }
}
