import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';

/** Days after which a file goes whose act was never recorded: longer than any act waits. */
const KEPT_DAYS = 8;

/** Files of grants that wait for a second admin (`waiting_file`). They hold addresses and reasons, so the journal does not. */
@Injectable()
export class WaitingFiles {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Before the act is asked for: no crash leaves an act without its file. */
  async keep(approvalId: string, csv: string): Promise<void> {
    await this.pool.query('insert into waiting_file (approval_id, csv) values ($1, $2) on conflict do nothing', [
      approvalId,
      csv,
    ]);
  }

  async find(approvalId: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ csv: string }>('select csv from waiting_file where approval_id = $1', [
      approvalId,
    ]);
    return rows[0]?.csv;
  }

  /** Deletes the files of acts that are over. */
  async sweep(): Promise<void> {
    await this.pool.query(
      `delete from waiting_file f using read.approvals a
       where a.approval_id = f.approval_id::text
         and (a.status in ('declined', 'done', 'refused') or (a.status = 'waiting' and a.expires_at <= now()))`,
    );
    await this.pool.query(`delete from waiting_file where created_at < now() - $1 * interval '1 day'`, [KEPT_DAYS]);
  }
}
