import type { ThreadBlock } from '@app/domain';
import { READ_SCHEMA } from '../schema.js';
import { InvalidCursor } from '../invalid-cursor.js';
import type { Queryable } from '../tables/queryable.js';

/** A block with its hash; `ownerRole` is the owner's side of the chat. */
export type StoredThreadBlock = ThreadBlock & { readonly hash: string; readonly ownerRole: 'host' | 'initiator' };

type DriverRow = Omit<StoredThreadBlock, 'at'> & { readonly at: Date };

/** The figures of a whole chain. Ratings are means of 75 to 100; null while there is no block. */
export interface ThreadSummary {
  readonly blocks: number;
  /** Blocks of the host's side. */
  readonly karma: number;
  /** Blocks of the initiator's side. */
  readonly influence: number;
  /** Of the newest block. */
  readonly headHash: string | null;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly averageGiven: number | null;
  readonly averageReceived: number | null;
}

const CURSOR = /^\d{1,9}$/;

/** Reads the read model `threads`. */
export class ThreadQueries {
  constructor(private readonly db: Queryable) {}

  /** How many blocks a member's chain has. */
  async count(ownerId: string): Promise<number> {
    const found = await this.db.query<{ block_number: number }>(
      `select block_number from ${READ_SCHEMA}.thread_chain where owner_id = $1`,
      [ownerId],
    );
    return found.rows[0]?.block_number ?? 0;
  }

  /**
   * A member's chain, newest block first.
   * @throws InvalidCursor
   */
  async chain(request: {
    readonly ownerId: string;
    readonly limit: number;
    readonly cursor?: string | undefined;
  }): Promise<{ readonly blocks: readonly StoredThreadBlock[]; readonly nextCursor: string | null }> {
    const { ownerId, limit, cursor } = request;
    if (cursor !== undefined && !CURSOR.test(cursor)) throw new InvalidCursor();
    const found = await this.db.query<DriverRow>(
      `select owner_id as "ownerId", block_number as "blockNumber", hash, previous_hash as "previousHash",
         connected_id as "connectedId", connection_type as "connectionType", owner_role as "ownerRole",
         given_rating as "givenRating", received_rating as "receivedRating", chat_id as "chatId", at
       from ${READ_SCHEMA}.threads where owner_id = $1 and ($2::int is null or block_number < $2)
       order by block_number desc limit $3`,
      [ownerId, cursor ?? null, limit + 1],
    );
    const blocks = found.rows.slice(0, limit).map((row) => ({ ...row, at: row.at.getTime() }));
    const last = blocks.at(-1);
    return { blocks, nextCursor: found.rows.length > limit && last ? String(last.blockNumber) : null };
  }

  /** Figures of a member's whole chain; zeros and nulls for a member without blocks. */
  async summary(ownerId: string): Promise<ThreadSummary> {
    const found = await this.db.query<ThreadSummary>(
      `select count(*)::int as blocks,
         count(*) filter (where connection_type = 'karma')::int as karma,
         count(*) filter (where connection_type = 'influence')::int as influence,
         (select hash from ${READ_SCHEMA}.thread_chain where owner_id = $1) as "headHash",
         min(at) as "firstAt", max(at) as "lastAt",
         round(avg(given_rating), 2)::float8 as "averageGiven",
         round(avg(received_rating), 2)::float8 as "averageReceived"
       from ${READ_SCHEMA}.threads where owner_id = $1`,
      [ownerId],
    );
    const [summary] = found.rows;
    if (!summary) throw new Error('a count came without its row');
    return summary;
  }
}
