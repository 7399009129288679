import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

export interface Review {
  readonly chatId: string;
  readonly raterId: string;
  readonly comment: string | null;
  readonly explanation: string | null;
}

/** What members wrote about each other after a chat. The row comes first, ChatRated second. */
@Injectable()
export class ChatReviews {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Of several attempts at rating one chat, the last one's words count. */
  async write({ chatId, raterId, comment, explanation }: Review): Promise<void> {
    await this.pool.query(
      `insert into chat_reviews (chat_id, rater_id, comment, explanation) values ($1, $2, $3, $4)
       on conflict (chat_id, rater_id) do update set comment = excluded.comment, explanation = excluded.explanation`,
      [chatId, raterId, comment, explanation],
    );
  }
}
