import { type ChatCompleted, NO_BLOCK_HASH, type ThreadBlock } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { CachedTable } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';
import { threadHash } from './thread-hash.js';

/** The last block of a chain. */
interface ChainEnd {
  readonly blockNumber: number;
  readonly hash: string;
}

/** Each member's chain of threads: a block for every chat in which both sides rated 75 or higher. */
export const threads: ReadModel = {
  name: 'threads',
  version: 1,
  streamPrefixes: ['chat-'],
  tables: ['threads', 'thread_chain'],
  ddl: `
    create table threads (
      owner_id text collate "C" not null,
      block_number integer not null,
      hash text collate "C" not null,
      previous_hash text collate "C" not null,
      connected_id text collate "C" not null,
      connection_type text collate "C" not null,
      owner_role text collate "C" not null,
      given_rating smallint not null,
      received_rating smallint not null,
      chat_id text collate "C" not null,
      at timestamptz not null
    );
    create table thread_chain (
      owner_id text collate "C" primary key,
      block_number integer not null,
      hash text collate "C" not null
    ) with (fillfactor = 70);
  `,
  indexes: `
    alter table threads add primary key (owner_id, block_number);
    create index threads_chat on threads (chat_id);
  `,
  createApplier: (options) => new ThreadsApplier(options),
};

class ThreadsApplier implements ReadModelApplier {
  private readonly blocks = new AppendTable('threads', [
    ['owner_id', 'text'],
    ['block_number', 'integer'],
    ['hash', 'text'],
    ['previous_hash', 'text'],
    ['connected_id', 'text'],
    ['connection_type', 'text'],
    ['owner_role', 'text'],
    ['given_rating', 'smallint'],
    ['received_rating', 'smallint'],
    ['chat_id', 'text'],
    ['at', 'timestamptz'],
  ]);
  private readonly chains: CachedTable<ChainEnd>;

  constructor(options: ApplierOptions) {
    this.chains = new CachedTable({
      table: 'thread_chain',
      key: [['owner_id', 'text']],
      values: [
        ['block_number', 'integer'],
        ['hash', 'text'],
      ],
      read: ([blockNumber, hash = '']) => ({ blockNumber: Number(blockNumber), hash }),
      cells: ({ blockNumber, hash }) => [blockNumber, hash],
      ...options,
    });
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
    // Both are there: a thread needs both ratings.
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

  private add(block: ThreadBlock, role: 'host' | 'initiator', time: string): void {
    const hash = threadHash(block);
    const { ownerId, blockNumber } = block;
    this.chains.set(ownerId, { blockNumber, hash });
    this.blocks.add([
      ownerId,
      blockNumber,
      hash,
      block.previousHash,
      block.connectedId,
      block.connectionType,
      role,
      block.givenRating,
      block.receivedRating,
      block.chatId,
      time,
    ]);
  }
}
