import type { ChatStatus } from '@app/domain';
import { READ_SCHEMA } from '../schema.js';
import type { Queryable } from '../tables/queryable.js';
import {
  type PaidMonth,
  readChatHistory,
  readPaidMonths,
  type ChatHistoryPage,
  type ChatHistoryRequest,
} from './chat-history.js';
import { chatTable } from './chat-row.js';
import type { Selected } from '../tables/table.js';

const CHAT = chatTable.select(
  'chatId',
  'initiatorId',
  'hostId',
  'price',
  'status',
  'requestedAt',
  'acceptBy',
  'verifyBy',
  'firstHostMessageAt',
  'lastMessageAt',
  'exchanges',
  'totalCharacters',
  'rateBy',
  'hostShare',
  'hostInfluence',
  'initiatorInfluence',
);

/** A chat in the read model. Amounts in minor units of NOVA; `hostShare` is set once the payment is settled. */
export type StoredChat = Selected<typeof CHAT>;

/** A chat that was requested, as opposed to a payment that waits for its request, or waited in vain. */
export type RequestedChat = StoredChat & {
  readonly status: ChatStatus;
  readonly requestedAt: Date;
  readonly acceptBy: Date;
};

/** A successful chat, seen by the side that has yet to rate it. */
export interface ChatToRate {
  readonly chatId: string;
  readonly otherId: string;
  readonly isInitiator: boolean;
  readonly price: bigint;
  /** Nova that the rating releases: for the host; none for an initiator. */
  readonly hostPending: bigint;
  /** When rating closes. */
  readonly rateBy: Date;
}

const selectChats = (rest: string): string => `select ${CHAT.of('c')} from ${READ_SCHEMA}.chats c ${rest}`;

const isRequested = (chat: StoredChat): chat is RequestedChat => chat.requestedAt !== null && chat.acceptBy !== null;

/** Reads the read model `chats`. */
export class ChatQueries {
  constructor(private readonly db: Queryable) {}

  async byId(chatId: string): Promise<StoredChat | undefined> {
    return (await this.list('where c.chat_id = $1', [chatId]))[0];
  }

  /** A member's open chats: their own requests, active chats, and chats that they have yet to rate; newest first. */
  async openOf(userId: string): Promise<RequestedChat[]> {
    return this.requested(
      'open chats of a member',
      `where (c.initiator_id = $1 and c.status in ('requested', 'active', 'successful')
           and (c.status <> 'successful' or c.initiator_rated_at is null))
         or (c.host_id = $1 and c.status in ('active', 'successful')
           and (c.status <> 'successful' or c.host_rated_at is null))
       order by c.requested_at desc, c.chat_id desc`,
      userId,
    );
  }

  /** Requests that wait for this host, oldest first. */
  async pendingRequests(hostId: string): Promise<RequestedChat[]> {
    return this.requested(
      'pending requests',
      `where c.host_id = $1 and c.status = 'requested' order by c.requested_at, c.chat_id`,
      hostId,
    );
  }

  /** The same requests by price, then age. */
  async inboundPriority(hostId: string): Promise<RequestedChat[]> {
    return this.requested(
      'inbound priority',
      `where c.host_id = $1 and c.status = 'requested' order by c.price desc, c.requested_at, c.chat_id`,
      hostId,
    );
  }

  /** Chats that a member has yet to rate, the first to close first. The reward waits until then, or until they rate. */
  async pendingRatings(userId: string): Promise<ChatToRate[]> {
    const chats = await this.list(
      `where c.status = 'successful'
         and ((c.initiator_id = $1 and c.initiator_rated_at is null) or (c.host_id = $1 and c.host_rated_at is null))
       order by c.rate_by, c.chat_id`,
      [userId],
    );
    return chats.flatMap(({ chatId, initiatorId, hostId, price, hostShare, rateBy }) => {
      const isInitiator = initiatorId === userId;
      const hostPending = isInitiator ? 0n : (hostShare ?? 0n);
      return rateBy
        ? [{ chatId, otherId: isInitiator ? hostId : initiatorId, isInitiator, price, hostPending, rateBy }]
        : [];
    });
  }

  /**
   * A member's Payout History (rule wallet-8): chats whose own reward was released, the last released first.
   * @throws InvalidCursor
   */
  async completedHistory(userId: string, request: ChatHistoryRequest): Promise<ChatHistoryPage> {
    return readChatHistory(this.db, userId, request);
  }

  /** What the Payout History adds up to, by month. */
  async paidMonths(userId: string): Promise<PaidMonth[]> {
    return readPaidMonths(this.db, userId);
  }

  /** How often a member's reward as host was released: every fifth release brings Influence (rule chats-27). */
  async hostReleases(userId: string): Promise<number> {
    const found = await this.db.query<{ count: number }>(
      `select count(*)::int as count from ${READ_SCHEMA}.chats where host_id = $1 and host_released_at is not null`,
      [userId],
    );
    return found.rows[0]?.count ?? 0;
  }

  /** Ids of chats with a deadline at or before `now`, the most overdue first. */
  async overdue(now: Date, limit: number): Promise<string[]> {
    return this.ids('where c.deadline <= $1 order by c.deadline limit $2', [now, limit]);
  }

  /** Payments held before a time without a request so far. */
  async heldWithoutChat(
    before: Date,
    limit: number,
  ): Promise<{ readonly chatId: string; readonly initiatorId: string; readonly hostId: string }[]> {
    return this.list(`where c.status = 'held' and c.held_at < $1 order by c.held_at limit $2`, [before, limit]);
  }

  /** Ids of chats whose money the ledger has yet to move since before a time, the longest waiting first. */
  async unsettled(limit: number, before = new Date()): Promise<string[]> {
    return this.ids('where c.unsettled_since < $1 order by c.unsettled_since limit $2', [before, limit]);
  }

  /** Under a name, because every member's page asks for these: each connection keeps their plans. */
  private async requested(name: string, rest: string, userId: string): Promise<RequestedChat[]> {
    const { rows } = await this.db.query({ name, text: selectChats(rest), values: [userId] });
    return rows.map((row) => CHAT.read(row)).filter(isRequested);
  }

  private async list(rest: string, values: unknown[]): Promise<StoredChat[]> {
    return (await this.db.query(selectChats(rest), values)).rows.map((row) => CHAT.read(row));
  }

  private async ids(rest: string, values: unknown[]): Promise<string[]> {
    const found = await this.db.query<{ chat_id: string }>(
      `select c.chat_id from ${READ_SCHEMA}.chats c ${rest}`,
      values,
    );
    return found.rows.map(({ chat_id }) => chat_id);
  }
}
