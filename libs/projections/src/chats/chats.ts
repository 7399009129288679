import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { CachedTable } from '../tables/cached-table.js';
import { type Cell, writeTables } from '../tables/statements.js';
import {
  CHAT_COLUMNS,
  chatCells,
  type ChatRow,
  type ChatRowStatus,
  isUnsettled,
  newChatRow,
  readChatRow,
} from './chat-row.js';
import { chatChanges, isChatPayment, paymentChanges } from './follow-chat.js';

const OPEN_STATUSES: readonly Cell[] = ['requested', 'active', 'successful'] satisfies ChatRowStatus[];
const OPEN = `status in (${OPEN_STATUSES.map((status) => `'${String(status)}'`).join(', ')})`;

/**
 * Every paid chat, one row each: its own stream's facts and what the ledger did with its money. `deadline` is the next thing
 * to enforce; `unsettled_since` is set while the ledger has yet to follow the chat; `side_closed` once somebody left before
 * all was done.
 */
export const chats: ReadModel = {
  name: 'chats',
  version: 3,
  streamPrefixes: ['chat-', 'ledger'],
  tables: ['chats'],
  ddl: `
    create table chats (
      chat_id text collate "C" primary key,
      ${CHAT_COLUMNS.map(([name, type]) => `${name} ${type}${type === 'text' ? ' collate "C"' : ''}`).join(', ')}
    ) with (fillfactor = 70);
  `,
  indexes: `
    create index chats_pair on chats (initiator_id, host_id);
    create index chats_open_host on chats (host_id) where ${OPEN};
    create index chats_open_initiator on chats (initiator_id) where ${OPEN};
    create index chats_host_history on chats (host_id, host_released_at, chat_id) where host_released_at is not null;
    create index chats_initiator_history on chats (initiator_id, initiator_released_at, chat_id)
      where initiator_released_at is not null;
    create index chats_deadline on chats (deadline) where deadline is not null;
    create index chats_held on chats (held_at) where status = 'held';
    create index chats_unsettled on chats (unsettled_since) where unsettled_since is not null;
  `,
  createApplier: (options) => new ChatsApplier(options),
};

class ChatsApplier implements ReadModelApplier {
  private readonly rows: CachedTable<ChatRow>;

  constructor(options: ApplierOptions) {
    this.rows = new CachedTable({
      table: 'chats',
      key: [['chat_id', 'text']],
      values: CHAT_COLUMNS,
      read: readChatRow,
      cells: chatCells,
      ...options,
    });
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    await this.load(client, events);
    for (const { recorded, chat, ledger, time } of events) {
      if (chat) {
        const row = this.rows.get(chat.chatId) ?? newChatRow(chat, 0n);
        this.change(chat.chatId, row, { ...chatChanges(row, chat, time), revision: recorded.revision }, time);
      } else if (ledger?.type === 'AccountClosed') {
        this.closeSide(ledger.userId, time);
      } else if (ledger && isChatPayment(ledger)) {
        const known = this.rows.get(ledger.chatId);
        const row = known ?? (ledger.type === 'ChatPaymentHeld' ? newChatRow(ledger, ledger.amount) : undefined);
        if (row) this.change(ledger.chatId, row, paymentChanges(row, ledger, time), time);
      }
    }
    await writeTables(client, [this.rows], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.rows], 'all');
  }

  private async load(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const chatIds = new Set<string>();
    const closed = new Set<string>();
    for (const { chat, ledger } of events) {
      if (chat) chatIds.add(chat.chatId);
      else if (ledger?.type === 'AccountClosed') closed.add(ledger.userId);
      else if (ledger && isChatPayment(ledger)) chatIds.add(ledger.chatId);
    }
    if (closed.size > 0 && !this.rows.isComplete) {
      await this.rows.loadWhere(
        client,
        `(${OPEN} or unsettled_since is not null) and (initiator_id = any($1) or host_id = any($1))`,
        [[...closed]],
      );
    }
    await this.rows.load(client, chatIds);
  }

  private change(chatId: string, row: ChatRow, changes: Partial<ChatRow>, time: string): void {
    const next: ChatRow = { ...row, ...changes };
    const since = isUnsettled(next) ? (row.unsettled_since ?? time) : null;
    this.rows.set(chatId, { ...next, unsettled_since: since });
  }

  private closeSide(userId: string, time: string): void {
    for (const [chatId, row] of this.rows.entries()) {
      if (!row || (row.initiator_id !== userId && row.host_id !== userId)) continue;
      if (row.unsettled_since === null && !OPEN_STATUSES.includes(row.status)) continue;
      this.change(chatId, row, { side_closed: true }, time);
    }
  }
}
