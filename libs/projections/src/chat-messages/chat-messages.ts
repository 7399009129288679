import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { writeTables } from '../tables/statements.js';

/** Which messages a chat has, in order. What they say is elsewhere, by the same id. */
export const chatMessages: ReadModel = {
  name: 'chat_messages',
  version: 1,
  streamPrefixes: ['chat-'],
  tables: ['chat_messages'],
  ddl: `
    create table chat_messages (
      message_id text collate "C" not null,
      chat_id text collate "C" not null,
      sender_id text collate "C" not null,
      side text collate "C" not null,
      revision bigint not null,
      at timestamptz not null
    );
  `,
  indexes: 'alter table chat_messages add primary key (chat_id, revision);',
  createApplier: () => new ChatMessagesApplier(),
};

class ChatMessagesApplier implements ReadModelApplier {
  private readonly messages = new AppendTable('chat_messages', [
    ['message_id', 'text'],
    ['chat_id', 'text'],
    ['sender_id', 'text'],
    ['side', 'text'],
    ['revision', 'bigint'],
    ['at', 'timestamptz'],
  ]);

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { recorded, chat, time } of events) {
      if (chat?.type !== 'ChatMessageSent') continue;
      const { messageId, chatId, senderId, side } = chat;
      this.messages.add([messageId, chatId, senderId, side, recorded.revision, time]);
    }
    await writeTables(client, [this.messages], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.messages], 'all');
  }
}
