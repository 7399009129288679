import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { InjectPool } from '../platform/database/database.module.js';

/** Admins' reasons, in rows that can be erased (rules admin-2, ledger-34). */
@Injectable()
export class AdminReasons {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** The row comes before the event that names it: no crash leaves an event with a reason that nobody wrote down. */
  async write(reason: { readonly adminId: string; readonly userId: string; readonly text: string }): Promise<string> {
    const id = uuidv7();
    await this.pool.query('insert into admin_reason (id, admin_id, user_id, reason) values ($1, $2, $3, $4)', [
      id,
      reason.adminId,
      reason.userId,
      reason.text,
    ]);
    return id;
  }

  /** Stores many reasons under the caller's ids; existing ones stay unchanged. */
  async writeMany(
    reasons: readonly {
      readonly id: string;
      readonly adminId: string;
      readonly userId: string;
      readonly text: string;
    }[],
  ): Promise<void> {
    if (reasons.length === 0) return;
    await this.pool.query(
      `insert into admin_reason (id, admin_id, user_id, reason)
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) on conflict (id) do nothing`,
      [
        reasons.map(({ id }) => id),
        reasons.map(({ adminId }) => adminId),
        reasons.map(({ userId }) => userId),
        reasons.map(({ text }) => text),
      ],
    );
  }

  async find(id: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ reason: string }>('select reason from admin_reason where id = $1', [id]);
    return rows[0]?.reason;
  }

  /** For a command that did not happen. */
  async discard(id: string): Promise<void> {
    await this.pool.query('delete from admin_reason where id = $1', [id]);
  }
}
