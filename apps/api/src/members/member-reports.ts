import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { InjectPool } from '../platform/database/database.module.js';

export interface ReportDraft {
  readonly reporterId: string;
  readonly reportedId: string;
  readonly chatId: string | null;
  readonly text: string;
}

/** What members report of each other, in rows that admins read and that can be erased. The row comes before its event. */
@Injectable()
export class MemberReports {
  constructor(@InjectPool() private readonly pool: Pool) {}

  async write({ reporterId, reportedId, chatId, text }: ReportDraft): Promise<string> {
    const id = uuidv7();
    await this.pool.query(
      'insert into member_reports (id, reporter_id, reported_id, chat_id, text) values ($1, $2, $3, $4, $5)',
      [id, reporterId, reportedId, chatId, text],
    );
    return id;
  }

  /** For a report that was refused. */
  async discard(id: string): Promise<void> {
    await this.pool.query('delete from member_reports where id = $1', [id]);
  }
}
