import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { InjectPool } from '../platform/database/database.module.js';
import { HOUSEKEEPING, Rounds } from '../platform/rounds.js';

const START = `
  insert into video_sessions (chat_id, session_id, started_by) values ($1, $2, $3)
  on conflict (chat_id) do update set started_by = excluded.started_by, started_at = excluded.started_at
  returning session_id`;

/** One call a chat at most. Both sides starting at once are in the same one. */
@Injectable()
export class VideoSessions extends Rounds {
  constructor(@InjectPool() private readonly pool: pg.Pool) {
    super(HOUSEKEEPING, 'forgetting calls that nobody ended');
  }

  protected override round(): Promise<void> {
    return this.sweep();
  }

  /** A page that is closed ends no call: what is left of one is forgotten a day after it was last joined. */
  async sweep(): Promise<void> {
    await this.pool.query(`delete from video_sessions where started_at < now() - interval '1 day'`);
  }

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
