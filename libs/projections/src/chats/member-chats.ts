import { CHATS_PER_KARMA, type ChatEvent } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { type Cached, CachedTable } from '../tables/cached-table.js';
import { runInOrder, writeTables } from '../tables/statements.js';
import { boolean, integer, type RowOf, safeInteger, Table, tablesOf, text } from '../tables/table.js';

const memberChatsTable = new Table('member_chats', {
  columns: { userId: text, chatId: text, n: integer },
  key: ['userId', 'n'],
  isKeyLast: true,
  indexes: { member_chats_chat: '(chat_id)' },
});

/** A member's totals. */
const memberChatTotals = new Table('member_chat_totals', {
  columns: {
    userId: text,
    requestedAsInitiator: safeInteger,
    requestedAsHost: safeInteger,
    acceptedAsInitiator: safeInteger,
    acceptedAsHost: safeInteger,
    successfulAsInitiator: safeInteger,
    successfulAsHost: safeInteger,
    completed: safeInteger,
    messages: safeInteger,
    responseMs: safeInteger,
    /** Completed chats for which Karma was minted. */
    karmaChats: safeInteger,
    /** No Karma is minted for a closed account. */
    closed: boolean,
  },
  key: ['userId'],
  fillfactor: 70,
  indexes: {
    member_chat_totals_karma_due: `(user_id) where completed >= karma_chats + ${CHATS_PER_KARMA} and not closed`,
  },
});
type MemberTotals = Omit<RowOf<typeof memberChatTotals>, 'userId'>;
type Total = Exclude<keyof MemberTotals, 'closed'>;

const NONE: MemberTotals = {
  requestedAsInitiator: 0,
  requestedAsHost: 0,
  acceptedAsInitiator: 0,
  acceptedAsHost: 0,
  successfulAsInitiator: 0,
  successfulAsHost: 0,
  completed: 0,
  messages: 0,
  responseMs: 0,
  karmaChats: 0,
  closed: false,
};

const openChatRequest = new Table('open_chat_request', {
  columns: { chatId: text, requestedMs: safeInteger },
  key: ['chatId'],
});

/**
 * Each member's completed chats in order (rule chats-27), and each member's totals. `responseMs` is the sum of the
 * times from request to acceptance, over the requests that a host accepted.
 */
export const memberChats: ReadModel = {
  name: 'member_chats',
  version: 2,
  streamPrefixes: ['chat-', 'ledger'],
  ...tablesOf(memberChatsTable, memberChatTotals, openChatRequest),
  createApplier: (options) => new MemberChatsApplier(options),
};

class MemberChatsApplier implements ReadModelApplier {
  private readonly completed = new AppendTable(memberChatsTable);
  private readonly totals: Cached<typeof memberChatTotals>;
  private readonly requests: Cached<typeof openChatRequest>;
  private answered: string[] = [];

  constructor(options: ApplierOptions) {
    this.totals = new CachedTable(memberChatTotals, options);
    this.requests = new CachedTable(openChatRequest, options);
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
        this.add(initiatorId, 'requestedAsInitiator');
        this.add(hostId, 'requestedAsHost');
        this.requests.set(chatId, { requestedMs: at });
        return;
      case 'ChatAccepted':
        this.add(initiatorId, 'acceptedAsInitiator');
        this.add(hostId, 'acceptedAsHost');
        this.add(hostId, 'responseMs', at - (this.requests.get(chatId)?.requestedMs ?? at));
        this.answered.push(chatId);
        return;
      case 'ChatMessageSent':
        this.add(chat.senderId, 'messages');
        return;
      case 'ChatSucceeded':
        this.add(initiatorId, 'successfulAsInitiator');
        this.add(hostId, 'successfulAsHost');
        return;
      case 'ChatCompleted':
        for (const userId of [initiatorId, hostId]) {
          this.completed.add({ userId, chatId, n: this.add(userId, 'completed') });
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
    const totals = this.totals.get(userId) ?? NONE;
    const sum = totals[total] + delta;
    this.totals.set(userId, { ...totals, [total]: sum });
    return sum;
  }

  private mint(userId: string, completedChats: number): void {
    const totals = this.totals.get(userId) ?? NONE;
    this.totals.set(userId, {
      ...totals,
      // If only the ledger was restored, it tells how many chats were completed.
      completed: Math.max(totals.completed, completedChats),
      karmaChats: Math.max(totals.karmaChats, completedChats),
    });
  }

  private close(userId: string): void {
    this.totals.set(userId, { ...(this.totals.get(userId) ?? NONE), closed: true });
  }
}
