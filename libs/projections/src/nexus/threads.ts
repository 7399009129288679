import { type ChatCompleted, NO_BLOCK_HASH, type ThreadBlock } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { type Cached, CachedTable } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';
import { integer, smallint, Table, tablesOf, text, textOf, timestamp } from '../tables/table.js';
import { threadHash } from './thread-hash.js';

const threadBlock = new Table('threads', {
  columns: {
    ownerId: text,
    blockNumber: integer,
    hash: text,
    previousHash: text,
    connectedId: text,
    connectionType: textOf<ThreadBlock['connectionType']>(),
    ownerRole: textOf<'host' | 'initiator'>(),
    givenRating: smallint,
    receivedRating: smallint,
    chatId: text,
    at: timestamp,
  },
  key: ['ownerId', 'blockNumber'],
  isKeyLast: true,
  indexes: { threads_chat: '(chat_id)' },
});

/** The last block of each chain. */
const threadChain = new Table('thread_chain', {
  columns: { ownerId: text, blockNumber: integer, hash: text },
  key: ['ownerId'],
  fillfactor: 70,
});

/** Each member's chain of threads: a block for every chat in which both sides rated 75 or higher. */
export const threads: ReadModel = {
  name: 'threads',
  version: 1,
  streamPrefixes: ['chat-'],
  ...tablesOf(threadBlock, threadChain),
  createApplier: (options) => new ThreadsApplier(options),
};

class ThreadsApplier implements ReadModelApplier {
  private readonly blocks = new AppendTable(threadBlock);
  private readonly chains: Cached<typeof threadChain>;

  constructor(options: ApplierOptions) {
    this.chains = new CachedTable(threadChain, options);
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const made: [ChatCompleted, string][] = [];
    for (const { chat, time } of events) if (chat?.type === 'ChatCompleted' && chat.thread) made.push([chat, time]);
    if (made.length > 0) {
      await this.chains.load(
        client,
        made.flatMap(([{ hostId, initiatorId }]) => [hostId, initiatorId]),
      );
      for (const [chat, time] of made) this.connect(chat, time);
    }
    await writeTables(client, [this.blocks, this.chains], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.blocks, this.chains], 'all');
  }

  private connect(chat: ChatCompleted, time: string): void {
    const { chatId, hostId, initiatorId, at } = chat;
    // Both are present: a thread needs both ratings.
    const [byInitiator, byHost] = [chat.initiatorRating ?? 0, chat.hostRating ?? 0];
    const host = { ownerId: hostId, connectedId: initiatorId, givenRating: byHost, receivedRating: byInitiator };
    const initiator = { ownerId: initiatorId, connectedId: hostId, givenRating: byInitiator, receivedRating: byHost };
    this.add({ ...host, ...this.nextOf(hostId), chatId, at, connectionType: 'karma' }, 'host', time);
    this.add({ ...initiator, ...this.nextOf(initiatorId), chatId, at, connectionType: 'influence' }, 'initiator', time);
  }

  private nextOf(ownerId: string): Pick<ThreadBlock, 'blockNumber' | 'previousHash'> {
    const { blockNumber, hash } = this.chains.get(ownerId) ?? { blockNumber: 0, hash: NO_BLOCK_HASH };
    return { blockNumber: blockNumber + 1, previousHash: hash };
  }

  private add(block: ThreadBlock, ownerRole: 'host' | 'initiator', at: string): void {
    const hash = threadHash(block);
    const { ownerId, blockNumber } = block;
    this.chains.set(ownerId, { blockNumber, hash });
    this.blocks.add({ ...block, hash, ownerRole, at });
  }
}
