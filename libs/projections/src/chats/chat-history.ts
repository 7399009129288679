import { READ_SCHEMA } from '../schema.js';
import { InvalidCursor } from '../invalid-cursor.js';
import type { Queryable } from '../tables/queryable.js';

/** A chat whose reward a member has received. */
export interface PaidChat {
  readonly chatId: string;
  readonly otherId: string;
  readonly isInitiator: boolean;
  /** When the member's own reward was released. */
  readonly releasedAt: Date;
  /** When both had rated, or rating closed. While the other side may still rate: when the reward was released. */
  readonly completedAt: Date;
  /** The host's half, in minor units; an initiator is paid in Influence alone. */
  readonly novaEarned: bigint;
  readonly influence: number;
  readonly exchanges: number;
  readonly totalCharacters: number;
  /** The member's own rating; null if rating closed before. */
  readonly myRating: number | null;
  readonly theirRating: number | null;
}

interface HistoryRow {
  readonly chat_id: string;
  readonly other_id: string;
  readonly is_initiator: boolean;
  readonly released_at: Date;
  readonly completed_at: Date | null;
  readonly nova: string;
  readonly influence: string;
  readonly exchanges: number;
  readonly total_characters: number;
  readonly my_rating: number | null;
  readonly their_rating: number | null;
}

const CURSOR = /^(\d{1,15})_([A-Za-z0-9_-]{1,64})$/;

/** The place at which the next page begins: after every chat that was released later. */
interface Place {
  readonly releasedAt: Date | 'infinity';
  readonly chatId: string;
}

const NEWEST: Place = { releasedAt: 'infinity', chatId: '' };

/** The chats of one side, in the order of its own index. */
const sideSql = (mine: 'host' | 'initiator', other: 'host' | 'initiator'): string => `
  (select chat_id, ${other}_id as other_id, ${mine === 'initiator'} as is_initiator, ${mine}_released_at as released_at,
     completed_at, ${mine === 'host' ? 'host_share' : '0::bigint'} as nova, ${mine}_influence as influence, exchanges,
     total_characters, ${mine}_rating as my_rating, ${other}_rating as their_rating
   from ${READ_SCHEMA}.chats
   where ${mine}_id = $1 and ${mine}_released_at is not null and (${mine}_released_at, chat_id) < ($2, $3)
   order by ${mine}_released_at desc, chat_id desc limit $4)`;

const PAGE = `select * from (${sideSql('host', 'initiator')} union all ${sideSql('initiator', 'host')}) h
  order by released_at desc, chat_id desc limit $4`;

export interface ChatHistoryRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ChatHistoryPage {
  readonly chats: readonly PaidChat[];
  readonly nextCursor: string | null;
}

/** One page of a member's Payout History. @throws InvalidCursor */
export async function readChatHistory(
  db: Queryable,
  userId: string,
  { limit, cursor }: ChatHistoryRequest,
): Promise<ChatHistoryPage> {
  const { releasedAt, chatId } = cursor === undefined ? NEWEST : parseCursor(cursor);
  const found = await db.query<HistoryRow>(PAGE, [userId, releasedAt, chatId, limit + 1]);
  const chats = found.rows.slice(0, limit).map(toPaidChat);
  const last = chats.at(-1);
  const hasMore = found.rows.length > limit && last !== undefined;
  return { chats, nextCursor: hasMore ? `${last.releasedAt.getTime()}_${last.chatId}` : null };
}

/** What a member's chats paid in one month (UTC) in which any did. */
export interface PaidMonth {
  /** `2026-11`. */
  readonly month: string;
  readonly chats: number;
  /** How many of them the member hosted. */
  readonly hosted: number;
  /** Minor units. */
  readonly novaEarned: bigint;
  readonly influence: number;
}

const paidSideSql = (mine: 'host' | 'initiator'): string => `
  select ${mine}_released_at as released_at, ${mine === 'host'} as hosted,
    ${mine === 'host' ? 'host_share' : '0::bigint'} as nova, ${mine}_influence as influence
  from ${READ_SCHEMA}.chats where ${mine}_id = $1 and ${mine}_released_at is not null`;

const MONTHS = `
  select to_char(released_at at time zone 'UTC', 'YYYY-MM') as month, count(*)::int as chats,
    (count(*) filter (where hosted))::int as hosted, sum(nova) as nova, sum(influence)::int as influence
  from (${paidSideSql('host')} union all ${paidSideSql('initiator')}) paid group by month order by month`;

/** All months of a member's Payout History, the oldest first. */
export async function readPaidMonths(db: Queryable, userId: string): Promise<PaidMonth[]> {
  const { rows } = await db.query<Omit<PaidMonth, 'novaEarned'> & { readonly nova: string }>(MONTHS, [userId]);
  return rows.map(({ nova, ...month }) => ({ ...month, novaEarned: BigInt(nova) }));
}

function parseCursor(cursor: string): Place {
  const [, ms = '', chatId = ''] = CURSOR.exec(cursor) ?? [];
  if (chatId === '') throw new InvalidCursor();
  return { releasedAt: new Date(Number(ms)), chatId };
}

const toPaidChat = (row: HistoryRow): PaidChat => ({
  chatId: row.chat_id,
  otherId: row.other_id,
  isInitiator: row.is_initiator,
  releasedAt: row.released_at,
  completedAt: row.completed_at ?? row.released_at,
  novaEarned: BigInt(row.nova),
  influence: Number(row.influence),
  exchanges: row.exchanges,
  totalCharacters: row.total_characters,
  myRating: row.my_rating,
  theirRating: row.their_rating,
});
