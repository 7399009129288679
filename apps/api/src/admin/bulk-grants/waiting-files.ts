import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';

/** A file with the members whom its rows meant when it was asked for: addresses change hands. */
export interface WaitingFile {
  readonly csv: string;
  readonly memberIds: readonly (string | null)[];
}

/** Days after which a file goes whose act was never recorded: longer than any act waits. */
const KEPT_DAYS = 8;

/** Files of grants that wait for a second admin (`waiting_file`). They hold addresses and reasons, so the journal does not. */
@Injectable()
export class WaitingFiles {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Before the act is asked for: no crash leaves an act without its file. */
  async keep(approvalId: string, { csv, memberIds }: WaitingFile): Promise<void> {
    await this.pool.query(
      'insert into waiting_file (approval_id, csv, member_ids) values ($1, $2, $3) on conflict do nothing',
      [approvalId, csv, memberIds],
    );
  }

  async find(approvalId: string): Promise<WaitingFile | undefined> {
    const { rows } = await this.pool.query<WaitingFile>(
      'select csv, member_ids as "memberIds" from waiting_file where approval_id = $1',
      [approvalId],
    );
    return rows[0];
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
