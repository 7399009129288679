import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

/** How far each member has read each of their chats, on whichever device: a time of the chat's messages. */
@Injectable()
export class ChatReads {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** By chat; one of which the member has read nothing is absent. */
  async of(memberId: string, chatIds: readonly string[]): Promise<Map<string, Date>> {
    if (chatIds.length === 0) return new Map();
    const { rows } = await this.pool.query<{ chat_id: string; read_through: Date }>({
      name: 'find read marks',
      text: 'select chat_id, read_through from chat_reads where account_id = $1 and chat_id = any($2::uuid[])',
      values: [memberId, chatIds],
    });
    return new Map(rows.map(({ chat_id, read_through }) => [chat_id, read_through]));
  }

  /** A mark never goes back. @returns whether it moved */
  async mark(memberId: string, chatId: string, readThrough: Date): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'mark chat read',
      text: `insert into chat_reads as r (account_id, chat_id, read_through) values ($1, $2, $3)
             on conflict (account_id, chat_id) do update set read_through = excluded.read_through
             where r.read_through < excluded.read_through`,
      values: [memberId, chatId, readThrough],
    });
    return rowCount === 1;
  }
}
