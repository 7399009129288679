import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

/** Whoever has taken a pair and is not heard of for so long has crashed before the request. */
const STALE_MS = 15_000;

export interface TakenPair {
  readonly chatId: string;
  /** Taken so long ago that its request must have been made by now, or never will be. */
  readonly stale: boolean;
}

/**
 * Which chat of two members is the newest: a lock under which one of two requests made at once goes first. It is no truth:
 * whether that chat is open is for its stream to say (`decisions.md`, Chats: one open per pair).
 */
@Injectable()
export class ChatPairs {
  constructor(@InjectPool() private readonly pool: Pool) {}

  async newest(a: string, b: string): Promise<TakenPair | undefined> {
    const { rows } = await this.pool.query<{ chat_id: string; stale: boolean }>(
      `select chat_id, taken_at < clock_timestamp() - $3 * interval '1 ms' as stale
       from chat_pairs where first_id = $1 and second_id = $2`,
      [...ordered(a, b), STALE_MS],
    );
    const [row] = rows;
    return row && { chatId: row.chat_id, stale: row.stale };
  }

  /**
   * Puts a new chat in the place of the one that was found there, or of none.
   * @returns false: another request was first
   */
  async take(
    a: string,
    b: string,
    chats: { readonly from: string | undefined; readonly to: string },
  ): Promise<boolean> {
    const pair = ordered(a, b);
    const { rowCount } =
      chats.from === undefined
        ? await this.pool.query(
            `insert into chat_pairs (first_id, second_id, chat_id) values ($1, $2, $3) on conflict do nothing`,
            [...pair, chats.to],
          )
        : await this.pool.query(
            `update chat_pairs set chat_id = $3, taken_at = clock_timestamp()
             where first_id = $1 and second_id = $2 and chat_id = $4`,
            [...pair, chats.to, chats.from],
          );
    return rowCount === 1;
  }

  /** For a request that was refused: nothing stands in the next one's way. */
  async giveBack(a: string, b: string, chatId: string): Promise<void> {
    await this.pool.query('delete from chat_pairs where first_id = $1 and second_id = $2 and chat_id = $3', [
      ...ordered(a, b),
      chatId,
    ]);
  }
}

const ordered = (a: string, b: string): [string, string] => (a < b ? [a, b] : [b, a]);
