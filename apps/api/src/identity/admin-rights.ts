import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { holdUntilEnd, inTransaction } from '../platform/database/in-transaction.js';
import { BlockedEmails } from './blocked-emails.js';
import { IdentityChanges } from './identity-changes.js';
import { mailboxKey } from './mailbox-key.js';

/** An account whose rights are to change, and who is an admin at that moment. */
export interface RightsChange {
  readonly isAdmin: boolean;
  /** Nobody may register with its address any more. */
  readonly isBlocked: boolean;
  /** The ids of all admins. */
  readonly admins: ReadonlySet<string>;
}

/** Who is an admin: the flag of each account, which follows the events of making and unmaking (rule admin-18). */
@Injectable()
export class AdminRights {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly blocked: BlockedEmails,
    private readonly changes: IdentityChanges,
  ) {}

  /** The ids of all admins, the longest registered first: asked of the database, not of a cache. */
  async all(): Promise<ReadonlySet<string>> {
    return adminsIn(this.pool);
  }

  /**
   * Changes an account's rights, one account at a time on all servers. All servers and sockets hear of it at once.
   * @param decide says whether it is an admin from then on, once that is recorded, or refuses
   * @returns false if there is no such open account
   */
  async change(accountId: string, decide: (now: RightsChange) => Promise<boolean>): Promise<boolean> {
    const isThere = await inTransaction(this.pool, async (client) => {
      await holdUntilEnd(client, 'admins');
      const { rows } = await client.query<{ email: string; is_admin: boolean }>(
        'select email, is_admin from accounts where id = $1 and closed_at is null for update',
        [accountId],
      );
      const [account] = rows;
      if (!account) return false;
      const isAdmin = await decide({
        isAdmin: account.is_admin,
        isBlocked: await this.blocked.isBlocked(mailboxKey(account.email), client),
        admins: await adminsIn(client),
      });
      await client.query('update accounts set is_admin = $2 where id = $1', [accountId, isAdmin]);
      // Sessions of admins end when nobody uses them: these begin to count now.
      if (isAdmin) await client.query('update sessions set last_used_at = now() where account_id = $1', [accountId]);
      return true;
    });
    if (isThere) await this.changes.publish({ kind: 'account', accountId });
    return isThere;
  }
}

async function adminsIn(db: Pick<pg.Pool, 'query'>): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(
    'select id from accounts where is_admin and closed_at is null order by created_at, id',
  );
  return new Set(rows.map(({ id }) => id));
}
