import { CHATS_PER_KARMA } from '@app/domain';
import { READ_SCHEMA } from '../schema.js';
import type { Queryable } from '../tables/queryable.js';

/** A member's chat totals. */
export interface MemberChatTotals {
  readonly requestedAsInitiator: number;
  readonly requestedAsHost: number;
  readonly acceptedAsInitiator: number;
  readonly acceptedAsHost: number;
  readonly successfulAsInitiator: number;
  readonly successfulAsHost: number;
  /** In either role; Karma depends on this number. */
  readonly completed: number;
  /** Sent. */
  readonly messages: number;
  /** The sum of the times from request to acceptance, over requests accepted as host, in milliseconds. */
  readonly responseMs: number;
  /** Karma minted so far: one for each five completed chats. */
  readonly karmaEarned: number;
}

interface TotalsRow {
  readonly requested_as_initiator: string;
  readonly requested_as_host: string;
  readonly accepted_as_initiator: string;
  readonly accepted_as_host: string;
  readonly successful_as_initiator: string;
  readonly successful_as_host: string;
  readonly completed: string;
  readonly messages: string;
  readonly response_ms: string;
  readonly karma_chats: string;
}

/** Reads the read model `member_chats`. */
export class MemberChatQueries {
  constructor(private readonly db: Queryable) {}

  /** All zero for a member who never chatted. */
  async totals(userId: string): Promise<MemberChatTotals> {
    const found = await this.db.query<TotalsRow>(`select * from ${READ_SCHEMA}.member_chat_totals where user_id = $1`, [
      userId,
    ]);
    const [row] = found.rows;
    return {
      requestedAsInitiator: Number(row?.requested_as_initiator ?? 0),
      requestedAsHost: Number(row?.requested_as_host ?? 0),
      acceptedAsInitiator: Number(row?.accepted_as_initiator ?? 0),
      acceptedAsHost: Number(row?.accepted_as_host ?? 0),
      successfulAsInitiator: Number(row?.successful_as_initiator ?? 0),
      successfulAsHost: Number(row?.successful_as_host ?? 0),
      completed: Number(row?.completed ?? 0),
      messages: Number(row?.messages ?? 0),
      responseMs: Number(row?.response_ms ?? 0),
      karmaEarned: Math.trunc(Number(row?.karma_chats ?? 0) / CHATS_PER_KARMA),
    };
  }

  /** The number of this chat among the completed chats of each of its two members; none before it is completed. */
  async countsOf(chatId: string): Promise<{ readonly userId: string; readonly n: number }[]> {
    const found = await this.db.query<{ userId: string; n: number }>(
      `select user_id as "userId", n from ${READ_SCHEMA}.member_chats where chat_id = $1 order by user_id`,
      [chatId],
    );
    return found.rows;
  }

  /** Members who have earned a Karma that was not minted yet, and the count of completed chats that it is for. */
  async karmaDue(limit: number): Promise<{ readonly userId: string; readonly completedChats: number }[]> {
    const found = await this.db.query<{ user_id: string; karma_chats: string }>(
      `select user_id, karma_chats from ${READ_SCHEMA}.member_chat_totals
       where completed >= karma_chats + ${CHATS_PER_KARMA} and not closed order by user_id limit $1`,
      [limit],
    );
    return found.rows.map(({ user_id, karma_chats }) => ({
      userId: user_id,
      completedChats: Number(karma_chats) + CHATS_PER_KARMA,
    }));
  }
}
