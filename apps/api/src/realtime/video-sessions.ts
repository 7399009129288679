import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { InjectPool } from '../platform/database/database.module.js';

/** A page that is closed ends no call: what is left of one is forgotten a day after it was last joined. */
const START = `
  with left_over as (
    select chat_id from video_sessions where chat_id <> $1 and started_at < now() - interval '1 day'
    for update skip locked),
  forgotten as (delete from video_sessions s using left_over l where s.chat_id = l.chat_id)
  insert into video_sessions (chat_id, session_id, started_by) values ($1, $2, $3)
  on conflict (chat_id) do update set started_by = excluded.started_by, started_at = excluded.started_at
  returning session_id`;

/** One call a chat at most. Both sides starting at once are in the same one. */
@Injectable()
export class VideoSessions {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** The id of the chat's call, which this begins unless there is one. */
  async start(chatId: string, memberId: string): Promise<string> {
    const { rows } = await this.pool.query<{ session_id: string }>(START, [chatId, uuidv7(), memberId]);
    const [row] = rows;
    if (!row) throw new Error('a video session was neither made nor found');
    return row.session_id;
  }

  async exists(chatId: string, sessionId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'find-video-session',
      text: 'select 1 from video_sessions where chat_id = $1 and session_id = $2',
      values: [chatId, sessionId],
    });
    return rowCount === 1;
  }

  /** True when there was such a call. */
  async end(chatId: string, sessionId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('delete from video_sessions where chat_id = $1 and session_id = $2', [
      chatId,
      sessionId,
    ]);
    return rowCount === 1;
  }
}
