import { Inject, Injectable } from '@nestjs/common';
import { type ChatMessageSent, chatStream, decodeChatEvent } from '@app/domain';
import { type EventStore, type RecordedEvent, upcast } from '@app/event-store';
import { ChatTexts } from '../chats/chat-texts.js';
import { InjectEventStore } from '../platform/journal/journal.module.js';
import { newMessage } from './chat-announcements.js';
import { REPLAY_MAX } from './limits.js';
import type { Payload } from './live-socket.js';

export interface ReplayedMessage {
  readonly revision: number;
  readonly payload: Payload;
}

/**
 * Reads what a socket missed of a chat while it was not connected. It reads the chat's own stream, because a read model
 * may be behind what other sockets know already.
 */
@Injectable()
export class MessageReplay {
  constructor(
    @InjectEventStore() private readonly store: EventStore,
    @Inject(ChatTexts) private readonly texts: Pick<ChatTexts, 'find'>,
  ) {}

  /** Messages after the one with id `after`, oldest first; at most the newest 500. Null stands for the beginning. */
  async messagesAfter(chatId: string, after: string | null): Promise<readonly ReplayedMessage[]> {
    const missed = await this.newestFirst(chatId, after);
    const texts = await this.texts.find(missed.map(({ event }) => event.messageId));
    return missed
      .toReversed()
      .map(({ revision, event }) => ({ revision, payload: newMessage(event, texts.get(event.messageId)) }));
  }

  private async newestFirst(chatId: string, after: string | null) {
    const missed: { readonly revision: number; readonly event: ChatMessageSent }[] = [];
    for await (const { type, data, revision, isForeign } of this.backwards(chatStream(chatId))) {
      if (isForeign) continue;
      const event = decodeChatEvent(type, upcast(type, data));
      if (event.type !== 'ChatMessageSent') continue;
      if (event.messageId === after) break;
      missed.push({ revision, event });
      if (missed.length === REPLAY_MAX) break;
    }
    return missed;
  }

  /** A stream from its end to its beginning, read in pieces: usually the first one is enough. */
  private async *backwards(stream: string): AsyncGenerator<RecordedEvent> {
    let from: number | undefined;
    do {
      const piece = { direction: 'backwards', limit: REPLAY_MAX, ...(from !== undefined && { from }) } as const;
      from = -1;
      for await (const batch of this.store.readStream(stream, piece)) {
        yield* batch;
        from = (batch.at(-1)?.revision ?? 0) - 1;
      }
    } while (from >= 0);
  }
}
