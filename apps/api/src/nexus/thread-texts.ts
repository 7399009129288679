import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

/** The mood of a member who has chosen none (rule discovery-2). */
const DEFAULT_MOOD = 'blue';

/** Members' texts and choices that threads show: none of them is part of a block. */
@Injectable()
export class ThreadTexts {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Reviews of these chats: a look-up by chat and by who wrote. */
  async reviews(chatIds: readonly string[]): Promise<(chatId: string, raterId: string) => string | null> {
    if (chatIds.length === 0) return () => null;
    const { rows } = await this.pool.query<{ chat_id: string; rater_id: string; comment: string | null }>(
      'select chat_id, rater_id, comment from review_directory where chat_id = any($1::uuid[])',
      [chatIds],
    );
    const comments = new Map(rows.map((row) => [`${row.chat_id} ${row.rater_id}`, row.comment]));
    return (chatId, raterId) => comments.get(`${chatId} ${raterId}`) ?? null;
  }

  async moods(memberIds: readonly string[]): Promise<(memberId: string) => string> {
    const { rows } = await this.pool.query<{ account_id: string; mood: string }>(
      'select account_id, mood from profile_directory where account_id = any($1::uuid[])',
      [memberIds],
    );
    const moods = new Map(rows.map((row) => [row.account_id, row.mood]));
    return (memberId) => moods.get(memberId) ?? DEFAULT_MOOD;
  }
}
