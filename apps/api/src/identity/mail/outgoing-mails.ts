import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { mailboxKey } from '../mailbox-key.js';
import type { SecurityNotice } from '../security-notice.js';
import { Mailer } from './mailer.js';

const HOUR_MS = 60 * 60 * 1000;

/** The purpose of a mail. Its text, address and link are made when it is sent, so none of them is stored. */
export type Purpose = 'verify' | 'reset' | 'notice' | 'request';

/** So many mails of a purpose in a while: to a mailbox whose owner has not said that it is theirs, or for an account. */
export const MAIL_LIMITS = {
  verify: { count: 3, windowMs: HOUR_MS, by: 'mailbox' },
  reset: { count: 3, windowMs: HOUR_MS, by: 'account' },
  notice: { count: 20, windowMs: 24 * HOUR_MS, by: 'account' },
  request: { count: 1, windowMs: HOUR_MS, by: 'account' },
} as const satisfies Record<Purpose, { count: number; windowMs: number; by: 'mailbox' | 'account' }>;

/** A notice of a paused recovery is mailed no more often: whoever guesses decides how often there is one. */
const PAUSE_NOTICE_MS = 24 * HOUR_MS;

/** Mails that wait for the server, of all members together. What comes when it is full is not mailed. */
const WAITING_MAX = 10_000;

/** What was sent is kept for so long to be counted; what never was, because no server sends any more, as well. */
const KEPT_DAYS = 3;

/** Deletes mails that count for nothing any more. */
export const SWEEP_MAILS = `delete from mails where created_at < now() - interval '${KEPT_DAYS} days'`;

const INSERT = `
  insert into mails (id, account_id, counted_by, purpose, notice)
  select $1, $2, $3, $4, $5
  where (select count(*) from mails where counted_by = $3 and created_at > now() - $6 * interval '1 ms') < $7
    and (select count(*) from (select from mails where finished_at is null limit $8) waiting) < $8
  returning id`;

/** Runs SQL in a transaction and gives its rows, as TypeORM's `EntityManager` does. */
export interface Sql {
  // oxlint-disable-next-line typescript/no-explicit-any
  query(sql: string, values: unknown[]): Promise<any>;
}

/** Whose mail. */
export interface Recipient {
  readonly id: string;
  readonly emailKey: string;
}

/** Mails that are to be sent: rows of the transaction that they belong to, sent after its commit by whichever server is first. */
@Injectable()
export class OutgoingMails {
  constructor(private readonly mailer: Mailer) {}

  /** A link that proves the account's address. @returns whether it will be sent: not beyond the limit, nor without a server */
  verification(manager: Sql, recipient: Recipient): Promise<boolean> {
    return this.add(manager, recipient, 'verify');
  }

  /** A link that sets a new password. @returns as `verification` */
  reset(manager: Sql, recipient: Recipient): Promise<boolean> {
    return this.add(manager, recipient, 'reset');
  }

  /** The notice, where the account's address is verified. */
  async notice(manager: Sql, accountId: string, notice: SecurityNotice): Promise<void> {
    if (!this.mailer.isSetUp) return;
    const account = await verified(manager, accountId);
    if (account) await this.add(manager, account, 'notice', notice);
  }

  /** Somebody asks the member for a chat; told where the account's address is verified. */
  async request(manager: Sql, accountId: string): Promise<void> {
    if (!this.mailer.isSetUp) return;
    const account = await verified(manager, accountId);
    if (account) await this.add(manager, account, 'request');
  }

  private async add(
    manager: Sql,
    { id, emailKey }: Recipient,
    purpose: Purpose,
    notice?: SecurityNotice,
  ): Promise<boolean> {
    if (!this.mailer.isSetUp) return false;
    const isPause = notice?.kind === 'recovery_paused';
    const { by } = MAIL_LIMITS[purpose];
    const whose = by === 'account' ? id : mailboxKey(emailKey);
    const { count, windowMs } = isPause ? { count: 1, windowMs: PAUSE_NOTICE_MS } : MAIL_LIMITS[purpose];
    const countedBy = hash('sha256', `${isPause ? notice.kind : purpose} ${whose}`, 'buffer');
    // Two at the same moment are counted one after the other.
    await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [countedBy.toString('base64')]);
    const added: { id: string }[] = await manager.query(INSERT, [
      uuidv7(),
      id,
      countedBy,
      purpose,
      notice ?? null,
      windowMs,
      count,
      WAITING_MAX,
    ]);
    return added.length === 1;
  }
}

async function verified(manager: Sql, accountId: string): Promise<Recipient | undefined> {
  const rows: Recipient[] = await manager.query(
    `select id, email_key as "emailKey" from accounts
     where id = $1 and closed_at is null and email_verified_at is not null`,
    [accountId],
  );
  return rows[0];
}
