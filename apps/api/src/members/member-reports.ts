import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import type { AreaTables } from '../platform/database/tables.js';
import { membersTakeout } from './takeout.js';

export interface ReportDraft {
  readonly reporterId: string;
  readonly reportedId: string;
  readonly chatId: string | null;
  readonly text: string;
}

export interface MemberReport {
  readonly id: string;
  readonly reporter_id: string;
  readonly reported_id: string;
  readonly chat_id: string | null;
  readonly text: string;
  readonly created_at: Date;
  readonly closed_at: Date | null;
}

const WHERE = { open: 'where closed_at is null', closed: 'where closed_at is not null', all: '' } as const;

export interface ReportPage {
  readonly status: keyof typeof WHERE;
  readonly offset: number;
  readonly limit: number;
}

/** Members' reports of each other, in rows that admins read and that can be erased. The row comes before its event. */
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

  /** Removes the row of a report that was refused. */
  async discard(id: string): Promise<void> {
    await this.pool.query('delete from member_reports where id = $1', [id]);
  }

  /** A page of reports, newest first, and their total number. */
  async page({ status, offset, limit }: ReportPage): Promise<{ rows: readonly MemberReport[]; total: number }> {
    const [{ rows }, counted] = await Promise.all([
      this.pool.query<MemberReport>(
        `select * from member_reports ${WHERE[status]} order by created_at desc, id desc limit $1 offset $2`,
        [limit, offset],
      ),
      this.pool.query<{ total: number }>(`select count(*)::int as total from member_reports ${WHERE[status]}`),
    ]);
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }

  /**
   * Closes an open report once the closing is recorded. A second caller waits, and finds the report closed.
   * @param record gets the id of the reported member
   * @returns false if there is no such open report
   */
  close(id: string, adminId: string, record: (reportedId: string) => Promise<void>): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ reported_id: string }>(
        'select reported_id from member_reports where id = $1 and closed_at is null for update',
        [id],
      );
      if (!rows[0]) return false;
      await record(rows[0].reported_id);
      await client.query('update member_reports set closed_at = now(), closed_by = $2 where id = $1', [id, adminId]);
      return true;
    });
  }
}

export const membersTables: AreaTables = {
  folder: 'members',
  tables: {
    member_reports: { kept: 'What was reported stays for the admins.' },
  },
  takeout: membersTakeout,
};
