import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { type Cached, CachedTable } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';
import { tablesOf } from '../tables/table.js';
import { type ChatRow, chatTable, isOpen, isUnsettled, newChatRow, OPEN } from './chat-row.js';
import { chatChanges, isChatPayment, paymentChanges } from './follow-chat.js';

/** See `chatTable`. */
export const chats: ReadModel = {
  name: 'chats',
  version: 3,
  streamPrefixes: ['chat-', 'ledger'],
  ...tablesOf(chatTable),
  createApplier: (options) => new ChatsApplier(options),
};

class ChatsApplier implements ReadModelApplier {
  private readonly rows: Cached<typeof chatTable>;

  constructor(options: ApplierOptions) {
    this.rows = new CachedTable(chatTable, options);
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
    const since = isUnsettled(next) ? (row.unsettledSince ?? time) : null;
    this.rows.set(chatId, { ...next, unsettledSince: since });
  }

  private closeSide(userId: string, time: string): void {
    for (const [chatId, row] of this.rows.entries()) {
      if (!row || (row.initiatorId !== userId && row.hostId !== userId)) continue;
      if (row.unsettledSince === null && !isOpen(row)) continue;
      this.change(chatId, row, { sideClosed: true }, time);
    }
  }
}
