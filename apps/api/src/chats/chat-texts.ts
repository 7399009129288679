import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { InjectPool } from '../platform/database/database.module.js';

/** What was typed, by the id that its event names (rule ledger-34). */
export interface MessageText {
  readonly id: string;
  readonly chatId: string;
  readonly senderId: string;
  readonly clientMessageId: string | null;
  readonly text: string;
  readonly createdAt: Date;
}

interface Row {
  readonly id: string;
  readonly chat_id: string;
  readonly sender_id: string;
  readonly client_message_id: string | null;
  readonly text: string;
  readonly created_at: Date;
}

const COLUMNS = 'id, chat_id, sender_id, client_message_id, text, created_at';

/** The texts of messages. The row comes first, the event second; a row without its event is shown to nobody. */
@Injectable()
export class ChatTexts {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Writes the row, or finds the one that this client wrote under the same id before. */
  async write(draft: Omit<MessageText, 'id'>): Promise<MessageText> {
    const { chatId, senderId, clientMessageId, text, createdAt } = draft;
    const { rows } = await this.pool.query<Row>({
      name: 'write message',
      text: `insert into chat_messages_text as m (${COLUMNS}) values ($1, $2, $3, $4, $5, $6)
             on conflict (chat_id, sender_id, client_message_id) do update set attempts = m.attempts + 1
             returning ${COLUMNS}`,
      values: [uuidv7(), chatId, senderId, clientMessageId, text, createdAt],
    });
    const [row] = rows;
    if (!row) throw new Error('a message was written without a row');
    return fromRow(row);
  }

  /** For a message that the chat refused. An attempt beside this one may have been taken, or be about to. */
  async discard(id: string): Promise<void> {
    await this.pool.query('delete from chat_messages_text where id = $1 and attempts = 1', [id]);
  }

  /** Texts by id. One that was erased is absent. */
  async find(ids: readonly string[]): Promise<Map<string, MessageText>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.pool.query<Row>({
      name: 'find messages',
      text: `select ${COLUMNS} from chat_messages_text where id = any($1::uuid[])`,
      values: [ids],
    });
    return new Map(rows.map((row) => [row.id, fromRow(row)]));
  }
}

const fromRow = (row: Row): MessageText => ({
  id: row.id,
  chatId: row.chat_id,
  senderId: row.sender_id,
  clientMessageId: row.client_message_id,
  text: row.text,
  createdAt: row.created_at,
});
