import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

/** After this time without a request, the process that claimed the pair has crashed. */
const STALE_MS = 15_000;

/** Who asks whom. */
export interface ChatParties {
  readonly initiatorId: string;
  readonly hostId: string;
}

export interface NewestChat extends ChatParties {
  readonly chatId: string;
  /** Taken so long ago that its request must have been made by now, or never will be. */
  readonly stale: boolean;
}

/**
 * Which chat of two members is the newest, whoever asked: a lock under which one of two requests made at once goes first. It
 * is no truth: whether that chat is open is for its stream to say (rule chats-5).
 */
@Injectable()
export class ChatPairs {
  constructor(@InjectPool() private readonly pool: Pool) {}

  async newest(parties: ChatParties): Promise<NewestChat | undefined> {
    const pair = ordered(parties);
    const { rows } = await this.pool.query<{ chat_id: string; initiator_id: string; stale: boolean }>(
      `select chat_id, initiator_id, taken_at < clock_timestamp() - $3 * interval '1 ms' as stale
       from chat_pairs where first_id = $1 and second_id = $2`,
      [...pair, STALE_MS],
    );
    const [row] = rows;
    if (!row) return undefined;
    const [first, second] = pair;
    const initiatorId = row.initiator_id;
    return { chatId: row.chat_id, initiatorId, hostId: initiatorId === first ? second : first, stale: row.stale };
  }

  /**
   * Puts a new chat in the place of the one that was found there, or of none. The same chat again is one more attempt at it.
   * @returns false: another request was first
   */
  async take(
    parties: ChatParties,
    chats: { readonly from: string | undefined; readonly to: string },
  ): Promise<boolean> {
    const values = [...ordered(parties), chats.to, parties.initiatorId];
    const { rowCount } =
      chats.from === undefined
        ? await this.pool.query(
            `insert into chat_pairs (first_id, second_id, chat_id, initiator_id) values ($1, $2, $3, $4)
             on conflict do nothing`,
            values,
          )
        : await this.pool.query(
            `update chat_pairs set chat_id = $3, initiator_id = $4, taken_at = clock_timestamp(),
               attempts = case chat_id when $3 then attempts + 1 else 1 end
             where first_id = $1 and second_id = $2 and chat_id = $5`,
            [...values, chats.from],
          );
    return rowCount === 1;
  }

  /** For an attempt that was refused: where no other one is left, nothing stands in the way of the next request. */
  async giveBack(parties: ChatParties, chatId: string): Promise<void> {
    const values = [...ordered(parties), chatId];
    const own = 'where first_id = $1 and second_id = $2 and chat_id = $3';
    await this.pool.query(`update chat_pairs set attempts = attempts - 1 ${own}`, values);
    await this.pool.query(`delete from chat_pairs ${own} and attempts = 0`, values);
  }
}

const ordered = ({ initiatorId, hostId }: ChatParties): [string, string] =>
  initiatorId < hostId ? [initiatorId, hostId] : [hostId, initiatorId];
