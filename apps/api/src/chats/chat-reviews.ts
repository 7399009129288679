import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

export interface Review {
  readonly chatId: string;
  readonly raterId: string;
  readonly comment: string | null;
  readonly explanation: string | null;
}

/** Reviews that members wrote about each other. The row comes first, ChatRated second. */
@Injectable()
export class ChatReviews {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Of several attempts at rating one chat, the last one's words count, until one is taken. */
  async write({ chatId, raterId, comment, explanation }: Review): Promise<void> {
    await this.pool.query(
      `insert into chat_reviews as r (chat_id, rater_id, comment, explanation) values ($1, $2, $3, $4)
       on conflict (chat_id, rater_id) do update set comment = excluded.comment, explanation = excluded.explanation
       where not r.kept`,
      [chatId, raterId, comment, explanation],
    );
  }

  /** For the attempt that was taken: another one may have written its words meanwhile. */
  async keep({ chatId, raterId, comment, explanation }: Review): Promise<void> {
    await this.pool.query(
      `update chat_reviews set comment = $3, explanation = $4, kept = true where chat_id = $1 and rater_id = $2`,
      [chatId, raterId, comment, explanation],
    );
  }
}
