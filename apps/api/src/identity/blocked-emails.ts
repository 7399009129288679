import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { holdUntilEnd, inTransaction } from '../platform/database/in-transaction.js';
import { emailKey, likePattern } from '../platform/text.js';

/** An address that cannot be used to register. */
export interface BlockedEmail {
  readonly id: string;
  /** As the admin typed it. */
  readonly email: string;
  /** The mailbox that it leads to: every other way to write it is blocked too. */
  readonly mailbox: string;
  readonly reason: string | null;
  /** The name of the admin. */
  readonly blockedBy: string | null;
  readonly createdAt: string;
}

export interface NewBlockedEmail {
  readonly id: string;
  readonly email: string;
  readonly mailbox: string;
  readonly adminId: string;
  readonly reasonId: string | null;
}

interface Row {
  readonly id: string;
  readonly email: string | null;
  readonly email_key: string;
  readonly reason: string | null;
  readonly blocked_by: string | null;
  readonly created_at: Date;
}

const SELECT = `
  select b.id, b.email, b.email_key, r.reason, a.display_name as blocked_by, b.created_at
  from blocked_emails b left join reason_directory r on r.id = b.reason_id left join accounts a on a.id = b.blocked_by`;

const MATCHES = `($1::text is null or email like $1 escape '\\' or email_key like $1 escape '\\')`;

/** Addresses that nobody may register with, by the mailbox they lead to (`mailboxKey`). */
@Injectable()
export class BlockedEmails {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /**
   * Blocks a mailbox once that is recorded; whoever comes second waits, and finds it blocked.
   * @returns false where it is blocked already
   */
  add({ id, email, mailbox, adminId, reasonId }: NewBlockedEmail, record: () => Promise<void>): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      await holdUntilEnd(client, `block:${mailbox}`);
      if (await this.isBlocked(mailbox, client)) return false;
      await record();
      await client.query(
        'insert into blocked_emails (id, email, email_key, blocked_by, reason_id) values ($1, $2, $3, $4, $5)',
        [id, email, mailbox, adminId, reasonId],
      );
      return true;
    });
  }

  async remove(id: string): Promise<void> {
    await this.pool.query('delete from blocked_emails where id = $1', [id]);
  }

  async find(id: string): Promise<BlockedEmail | undefined> {
    const { rows } = await this.pool.query<Row>(`${SELECT} where b.id = $1`, [id]);
    return rows[0] && toBlockedEmail(rows[0]);
  }

  async isBlocked(mailbox: string, client: Pick<Pool, 'query'> = this.pool): Promise<boolean> {
    const { rowCount } = await client.query('select from blocked_emails where email_key = $1', [mailbox]);
    return rowCount === 1;
  }

  /** Newest first. */
  async list(page: { readonly search: string | undefined; readonly offset: number; readonly limit: number }) {
    const pattern = page.search ? likePattern(emailKey(page.search)) : null;
    const [found, counted] = await Promise.all([
      this.pool.query<Row>(
        `${SELECT} where ${MATCHES.replaceAll('email', 'b.email')} order by b.created_at desc, b.id limit $2 offset $3`,
        [pattern, page.limit, page.offset],
      ),
      this.pool.query<{ total: number }>(`select count(*)::int as total from blocked_emails where ${MATCHES}`, [
        pattern,
      ]),
    ]);
    return { blockedEmails: found.rows.map(toBlockedEmail), total: counted.rows[0]?.total ?? 0 };
  }
}

const toBlockedEmail = (row: Row): BlockedEmail => ({
  id: row.id,
  email: row.email ?? row.email_key,
  mailbox: row.email_key,
  reason: row.reason,
  blockedBy: row.blocked_by,
  createdAt: row.created_at.toISOString(),
});
