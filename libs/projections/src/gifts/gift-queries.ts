import { READ_SCHEMA } from '../schema.js';
import type { Queryable } from '../tables/queryable.js';
import { InvalidCursor } from '../invalid-cursor.js';
import type { Selected } from '../tables/table.js';
import { idBytes } from '../tables/id-bytes.js';
import { gift } from './gifts.js';

const GIFT = gift.select();

/** A gift, by the id of its event; `clientId` is the OAuth application through which it was sent. Amounts in minor units. */
export interface GiftRow extends Selected<typeof GIFT> {
  readonly influenceShare: bigint;
}

/** The summary cards (rule gifts-6). */
export interface GiftSummary {
  readonly sentCount: number;
  readonly receivedCount: number;
  /** What the member gave away, before it was split. */
  readonly totalSent: bigint;
  /** What the member received: their shares. */
  readonly totalReceived: bigint;
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
      `(select ${GIFT.of('g')} from ${READ_SCHEMA}.sent_gift g where g.${column} = $1 and g.revision < $2::bigint order by g.revision desc limit ${limit + 1})`;
    const found = await this.db.query(
      `select * from (${side('sender_id')} union all ${side('recipient_id')}) g order by revision desc limit ${limit + 1}`,
      [idBytes(userId), cursor ?? Number.MAX_SAFE_INTEGER],
    );
    const gifts = found.rows.slice(0, limit).map((row) => {
      const read = GIFT.read(row);
      return { ...read, influenceShare: read.amount - read.recipientShare };
    });
    const last = gifts.at(-1);
    return { gifts, nextCursor: found.rows.length > limit && last ? String(last.revision) : null };
  }

  async summary(userId: string): Promise<GiftSummary> {
    const found = await this.db.query<{
      sent_count: string;
      received_count: string;
      total_sent: string;
      total_received: string;
    }>(`select * from ${READ_SCHEMA}.gift_total where user_id = $1`, [userId]);
    const [row] = found.rows;
    return {
      sentCount: Number(row?.sent_count ?? 0),
      receivedCount: Number(row?.received_count ?? 0),
      totalSent: BigInt(row?.total_sent ?? 0),
      totalReceived: BigInt(row?.total_received ?? 0),
    };
  }
}
