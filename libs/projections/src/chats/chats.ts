import { type ChatCounts, type ChatEvent, IDLE_CHAT_MS, type LedgerEvent, type RefundReason } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { type Cached, CachedTable } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';
import { tablesOf } from '../tables/table.js';
import { type ChatRow, type ChatRowStatus, chatTable, isOpen, isUnsettled, newChatRow, OPEN } from './chat-row.js';

type Changes = Partial<ChatRow>;

const timeText = (atMs: number): string => new Date(atMs).toISOString();

/** The changes that an event of its own stream makes to a chat's row. @param time of the event, as text */
function chatChanges(row: ChatRow, event: ChatEvent, time: string): Changes {
  switch (event.type) {
    case 'ChatRequested': {
      const acceptBy = timeText(event.acceptBy);
      return { status: 'requested', price: event.price, requestedAt: time, acceptBy, deadline: acceptBy };
    }
    case 'ChatRequestAbandoned':
      return { status: 'abandoned', endedAt: time, deadline: null };
    case 'ChatAccepted': {
      const verifyBy = timeText(event.verifyBy);
      return { status: 'active', acceptedAt: time, verifyBy, deadline: verifyBy };
    }
    case 'ChatDeclined':
      return { status: 'declined', endedAt: time, deadline: null };
    case 'ChatRequestExpired':
      return { status: 'expired', endedAt: time, deadline: null };
    case 'ChatMessageSent': {
      const firstHost = row.firstHostMessageAt ?? (event.side === 'host' ? time : null);
      return {
        ...counts(event),
        firstHostMessageAt: firstHost,
        lastMessageAt: time,
        lastSide: event.side,
        deadline: firstHost === null ? row.verifyBy : timeText(event.at + IDLE_CHAT_MS),
      };
    }
    case 'ChatSucceeded': {
      const rateBy = timeText(event.rateBy);
      return {
        ...counts(event),
        status: 'successful',
        succeededAt: time,
        endedAt: time,
        rateBy,
        deadline: rateBy,
      };
    }
    case 'ChatTerminated':
      return {
        ...counts(event),
        status: 'terminated',
        endedAt: time,
        terminatedBy: event.by,
        terminationCause: event.cause,
        deadline: null,
      };
    case 'ChatRated':
      return event.side === 'host'
        ? { hostRating: event.rating, hostRatedAt: time }
        : { initiatorRating: event.rating, initiatorRatedAt: time };
    case 'ChatCompleted':
      return { status: 'completed', completedAt: time, thread: event.thread, deadline: null };
    case 'ChatVerified':
    case 'ChatNudged':
      return {};
  }
}

const counts = ({ exchanges, totalCharacters, hostCharacters }: ChatCounts): Changes => ({
  exchanges,
  totalCharacters,
  hostCharacters,
});

/** The ledger's events about a chat's payment and rewards. */
type ChatPaymentEvent = Extract<
  LedgerEvent,
  {
    type:
      'ChatPaymentHeld' | 'ChatPaymentRefunded' | 'ChatPaymentSettled' | 'ChatRewardReleased' | 'ThreadShareGranted';
  }
>;

const PAYMENTS: ReadonlySet<LedgerEvent['type']> = new Set<ChatPaymentEvent['type']>([
  'ChatPaymentHeld',
  'ChatPaymentRefunded',
  'ChatPaymentSettled',
  'ChatRewardReleased',
  'ThreadShareGranted',
]);

const isChatPayment = (event: LedgerEvent): event is ChatPaymentEvent => PAYMENTS.has(event.type);

/** How a chat ended, as far as the ledger tells: if only the ledger was restored, the chat has no stream. */
const ENDED_BY: Readonly<Record<RefundReason, ChatRowStatus>> = {
  declined: 'declined',
  expired: 'expired',
  abandoned: 'abandoned',
  terminated: 'terminated',
  idle: 'terminated',
};

/** As `chatChanges`, for the ledger's events. */
function paymentChanges(row: ChatRow, event: ChatPaymentEvent, time: string): Changes {
  /** A chat that only the ledger knows is over once its money has moved: nobody can rate it any more. */
  const over = (status: ChatRowStatus): Changes => (row.status === 'held' ? { status, endedAt: time } : {});
  switch (event.type) {
    case 'ChatPaymentHeld':
      return { price: event.amount, heldAt: time };
    case 'ChatPaymentRefunded': {
      const moved = { settledAt: time, paid: 0n, refunded: event.amount, hostShare: 0n, hostPending: 0n };
      return { ...moved, ...over(ENDED_BY[event.reason]) };
    }
    case 'ChatPaymentSettled': {
      const { paid, refunded, hostShare, outcome } = event;
      const isSuccess = outcome === 'success';
      const moved = {
        settledAt: time,
        paid,
        refunded,
        hostShare,
        hostPending: isSuccess ? hostShare : 0n,
      };
      return { ...moved, ...over(isSuccess ? 'completed' : 'terminated') };
    }
    case 'ChatRewardReleased':
      return event.side === 'host'
        ? { hostReleasedAt: time, hostPending: 0n, hostInfluence: event.influence }
        : { initiatorReleasedAt: time, initiatorInfluence: event.influence };
    case 'ThreadShareGranted':
      return { threadGrantedAt: time };
  }
}

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
