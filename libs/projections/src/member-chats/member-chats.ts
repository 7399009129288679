import { CHATS_PER_KARMA, type ChatEvent } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { CachedTable } from '../tables/cached-table.js';
import { runInOrder, writeTables } from '../tables/statements.js';

/** What is counted of a member, in the order of the columns. `karma_chats`: completed chats for which Karma was minted. */
const TOTALS = [
  'requested_as_initiator',
  'requested_as_host',
  'accepted_as_initiator',
  'accepted_as_host',
  'successful_as_initiator',
  'successful_as_host',
  'completed',
  'messages',
  'response_ms',
  'karma_chats',
] as const;
type Total = (typeof TOTALS)[number];

interface MemberTotals {
  readonly counts: Readonly<Record<Total, number>>;
  /** No Karma is minted for a closed account. */
  readonly closed: boolean;
}

const NONE: MemberTotals = {
  counts: Object.fromEntries(TOTALS.map((name) => [name, 0])) as Record<Total, number>,
  closed: false,
};

/**
 * Each member's completed chats in order (rule chats-27), and what is counted of a member.
 * `response_ms` is the sum, over the requests that a host accepted, of the time from request to acceptance.
 */
export const memberChats: ReadModel = {
  name: 'member_chats',
  version: 2,
  streamPrefixes: ['chat-', 'ledger'],
  tables: ['member_chats', 'member_chat_totals', 'open_chat_request'],
  ddl: `
    create table member_chats (
      user_id text collate "C" not null,
      chat_id text collate "C" not null,
      n integer not null
    );
    create table member_chat_totals (
      user_id text collate "C" primary key,
      ${TOTALS.map((name) => `${name} bigint not null`).join(', ')},
      closed boolean not null
    ) with (fillfactor = 70);
    create table open_chat_request (
      chat_id text collate "C" primary key,
      requested_ms bigint not null
    );
  `,
  indexes: `
    alter table member_chats add primary key (user_id, n);
    create index member_chats_chat on member_chats (chat_id);
    create index member_chat_totals_karma_due on member_chat_totals (user_id)
      where completed >= karma_chats + ${CHATS_PER_KARMA} and not closed;
  `,
  createApplier: (options) => new MemberChatsApplier(options),
};

class MemberChatsApplier implements ReadModelApplier {
  private readonly completed = new AppendTable('member_chats', [
    ['user_id', 'text'],
    ['chat_id', 'text'],
    ['n', 'integer'],
  ]);
  private readonly totals: CachedTable<MemberTotals>;
  private readonly requests: CachedTable<number>;
  private answered: string[] = [];

  constructor(options: ApplierOptions) {
    this.totals = new CachedTable({
      table: 'member_chat_totals',
      key: [['user_id', 'text']],
      values: [...TOTALS.map((name) => [name, 'bigint'] as const), ['closed', 'boolean']],
      read: (cells) => ({
        counts: Object.fromEntries(TOTALS.map((name, index) => [name, Number(cells[index])])) as Record<Total, number>,
        closed: cells[TOTALS.length] === 'true',
      }),
      cells: ({ counts, closed }) => [...TOTALS.map((name) => counts[name]), closed],
      ...options,
    });
    this.requests = new CachedTable({
      table: 'open_chat_request',
      key: [['chat_id', 'text']],
      values: [['requested_ms', 'bigint']],
      read: ([requestedMs]) => Number(requestedMs),
      cells: (requestedMs) => [requestedMs],
      ...options,
    });
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    await this.load(client, events);
    for (const { chat, ledger } of events) {
      if (chat) this.count(chat);
      else if (ledger?.type === 'KarmaMinted') this.mint(ledger.userId, ledger.completedChats);
      else if (ledger?.type === 'AccountClosed') this.close(ledger.userId);
    }
    await writeTables(client, [this.completed, this.totals, this.requests], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    const { answered } = this;
    this.answered = [];
    await runInOrder(client, [
      (to) => writeTables(to, [this.completed, this.totals, this.requests], 'all'),
      async (to) => {
        if (answered.length > 0) await to.query('delete from open_chat_request where chat_id = any($1)', [answered]);
      },
    ]);
  }

  private async load(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const members = new Set<string>();
    const requests = new Set<string>();
    for (const { chat, ledger } of events) {
      if (chat) {
        members.add(chat.initiatorId).add(chat.hostId);
        if (chat.type === 'ChatAccepted') requests.add(chat.chatId);
      } else if (ledger?.type === 'KarmaMinted' || ledger?.type === 'AccountClosed') members.add(ledger.userId);
    }
    await runInOrder(client, [(to) => this.totals.load(to, members), (to) => this.requests.load(to, requests)]);
  }

  private count(chat: ChatEvent): void {
    const { chatId, initiatorId, hostId, at } = chat;
    switch (chat.type) {
      case 'ChatRequested':
        this.add(initiatorId, 'requested_as_initiator');
        this.add(hostId, 'requested_as_host');
        this.requests.set(chatId, at);
        return;
      case 'ChatAccepted':
        this.add(initiatorId, 'accepted_as_initiator');
        this.add(hostId, 'accepted_as_host');
        this.add(hostId, 'response_ms', at - (this.requests.get(chatId) ?? at));
        this.answered.push(chatId);
        return;
      case 'ChatMessageSent':
        this.add(chat.senderId, 'messages');
        return;
      case 'ChatSucceeded':
        this.add(initiatorId, 'successful_as_initiator');
        this.add(hostId, 'successful_as_host');
        return;
      case 'ChatCompleted':
        for (const userId of [initiatorId, hostId]) {
          this.completed.add([userId, chatId, this.add(userId, 'completed')]);
        }
        return;
      case 'ChatDeclined':
      case 'ChatRequestExpired':
      case 'ChatTerminated':
        this.answered.push(chatId);
        return;
      case 'ChatRequestAbandoned':
      case 'ChatVerified':
      case 'ChatNudged':
      case 'ChatRated':
        return;
    }
  }

  private add(userId: string, total: Total, delta = 1): number {
    const { counts, closed } = this.totals.get(userId) ?? NONE;
    const sum = counts[total] + delta;
    this.totals.set(userId, { counts: { ...counts, [total]: sum }, closed });
    return sum;
  }

  private mint(userId: string, completedChats: number): void {
    const { counts, closed } = this.totals.get(userId) ?? NONE;
    this.totals.set(userId, {
      // Where the ledger alone was restored, it is what tells how many chats were completed.
      counts: {
        ...counts,
        completed: Math.max(counts.completed, completedChats),
        karma_chats: Math.max(counts.karma_chats, completedChats),
      },
      closed,
    });
  }

  private close(userId: string): void {
    this.totals.set(userId, { ...(this.totals.get(userId) ?? NONE), closed: true });
  }
}
