import { READ_SCHEMA } from '../schema.js';
import type { Queryable } from '../tables/queryable.js';
import { InvalidCursor } from '../invalid-cursor.js';

/** A gift. Amounts in minor units. */
export interface GiftRow {
  /** The id of its event. */
  readonly id: string;
  readonly revision: number;
  readonly senderId: string;
  readonly recipientId: string;
  readonly amount: bigint;
  readonly recipientShare: bigint;
  readonly influenceShare: bigint;
  /** The OAuth application through which it was sent. */
  readonly clientId: string | null;
  readonly createdAt: Date;
}

/** The summary cards (rule gifts-6). */
export interface GiftSummary {
  readonly sentCount: number;
  readonly receivedCount: number;
  /** What the member gave away, before it was split. */
  readonly totalSent: bigint;
  /** What came to the member: their shares. */
  readonly totalReceived: bigint;
}

interface StoredGift {
  readonly revision: string;
  readonly event_id: string;
  readonly sender_id: string;
  readonly recipient_id: string;
  readonly amount: string;
  readonly recipient_share: string;
  readonly influence_share: string;
  readonly client_id: string | null;
  readonly created_at: Date;
}

const CURSOR = /^\d{1,15}$/;

/** Reads the read model `gifts` (rule gifts-6). */
export class GiftQueries {
  constructor(private readonly db: Queryable) {}

  /**
   * Gifts that a member sent or received, newest first.
   * @throws InvalidCursor
   */
  async history(request: {
    readonly userId: string;
    readonly limit: number;
    readonly cursor?: string;
  }): Promise<{ readonly gifts: readonly GiftRow[]; readonly nextCursor: string | null }> {
    const { userId, cursor } = request;
    if (cursor !== undefined && !CURSOR.test(cursor)) throw new InvalidCursor();
    const limit = Math.trunc(request.limit);
    const side = (column: string): string =>
      `(select * from ${READ_SCHEMA}.gift where ${column} = $1 and revision < $2 order by revision desc limit ${limit + 1})`;
    const found = await this.db.query<StoredGift>(
      `select * from (${side('sender_id')} union all ${side('recipient_id')}) g order by revision desc limit ${limit + 1}`,
      [userId, cursor ?? Number.MAX_SAFE_INTEGER],
    );
    const gifts = found.rows.slice(0, limit).map(giftOf);
    const last = gifts.at(-1);
    return { gifts, nextCursor: found.rows.length > limit && last ? String(last.revision) : null };
  }

  async summary(userId: string): Promise<GiftSummary> {
    const found = await this.db.query<{
      sent_count: string;
      received_count: string;
      total_sent: string;
      total_received: string;
    }>(`select * from ${READ_SCHEMA}.gift_member where user_id = $1`, [userId]);
    const [row] = found.rows;
    return {
      sentCount: Number(row?.sent_count ?? 0),
      receivedCount: Number(row?.received_count ?? 0),
      totalSent: BigInt(row?.total_sent ?? 0),
      totalReceived: BigInt(row?.total_received ?? 0),
    };
  }
}

const giftOf = (stored: StoredGift): GiftRow => ({
  id: stored.event_id,
  revision: Number(stored.revision),
  senderId: stored.sender_id,
  recipientId: stored.recipient_id,
  amount: BigInt(stored.amount),
  recipientShare: BigInt(stored.recipient_share),
  influenceShare: BigInt(stored.influence_share),
  clientId: stored.client_id,
  createdAt: stored.created_at,
});
