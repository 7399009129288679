import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { AccountClosings } from '../chats/process/account-closings.js';
import { closeAccount } from '../identity/account-changes.js';
import { IdentityChanges } from '../identity/identity-changes.js';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { AccountErasure } from '../platform/account-erasure.js';
import { Moderation } from './moderation.js';

/** The time between two attempts at an account, by any process. */
const RETRY_SECONDS = 10;
/** After this time a second erasure removes what requests under way may still have written. */
const ERASE_AGAIN_SECONDS = 60;

export interface DeletionOrder {
  readonly accountId: string;
  readonly adminId: string;
  readonly reasonId: string | null;
  readonly requestId: string;
}

interface DeletionRow {
  readonly account_id: string;
  readonly admin_id: string;
  readonly reason_id: string | null;
  readonly request_id: string | null;
}

const UNRECORDED = 'from account_deletions where account_id = $1 and recorded_at is null';

const ORDER = `
  insert into account_deletions (account_id, admin_id, reason_id, request_id, next_at)
  values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 second')`;

/** Claims the account that has been due for longest; other processes leave it alone for a while. */
const TAKE = `
  update account_deletions set next_at = clock_timestamp() + $1 * interval '1 second' where account_id = (
    select account_id from account_deletions where next_at <= clock_timestamp()
    order by next_at limit 1 for update skip locked)
  returning account_id`;

/** Whichever process comes next goes on with it. */
const GIVE_BACK = 'update account_deletions set next_at = clock_timestamp() where account_id = $1';

const FINISH = `
  delete from account_deletions where account_id = $1 and ordered_at < now() - $2 * interval '1 second'`;

/**
 * Deletes accounts (rule accounts-23): closed and nameless at once, then recorded, closed in the ledger, and everything
 * that the member typed or showed is erased. A row remembers the account until all of that is done, however often it is
 * interrupted; every step may be repeated.
 */
@Injectable()
export class AccountDeletions {
  private readonly logger = new Logger(AccountDeletions.name);

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly changes: IdentityChanges,
    private readonly moderation: Moderation,
    private readonly closings: AccountClosings,
    private readonly erasure: AccountErasure,
  ) {}

  /** From now on the account is gone for everybody. False if it was gone already or belongs to an admin. */
  async order({ accountId, adminId, reasonId, requestId }: DeletionOrder): Promise<boolean> {
    const ordered = await inTransaction(this.pool, async (client) => {
      const closed = await closeAccount(client, accountId);
      if (closed) await client.query(ORDER, [accountId, adminId, reasonId, requestId, RETRY_SECONDS]);
      return closed;
    });
    if (ordered) await this.changes.publish({ kind: 'account', accountId });
    return ordered;
  }

  /** Whether it is ordered, and not known to be closed in the ledger. */
  async isClosing(accountId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(`select ${UNRECORDED}`, [accountId]);
    return rowCount === 1;
  }

  /**
   * Records the order and closes the account in the ledger, unless that is done. Should it fail, the sweep does it.
   * @throws LedgerBusy, LedgerOutcomeUnknown, StoreUnavailable it is not known to be closed yet
   */
  async closeInLedger(accountId: string): Promise<void> {
    const { rows } = await this.pool.query<DeletionRow>(`select * ${UNRECORDED}`, [accountId]);
    if (rows[0]) await this.record(rows[0]);
  }

  /** One round at an account that this process has taken or just ordered; the rest, and what fails, is for the sweep. */
  async goOn(accountId: string): Promise<void> {
    try {
      await this.advance(accountId);
    } catch (error) {
      this.logger.warn({ err: error, accountId }, 'an account could not be erased yet; the next round retries');
    }
  }

  /** Takes an account that nobody is at, if something is left to do for one. */
  async take(): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ account_id: string }>(TAKE, [RETRY_SECONDS]);
    return rows[0]?.account_id;
  }

  private async advance(accountId: string): Promise<void> {
    await this.closeInLedger(accountId);
    const { rows } = await this.pool.query<DeletionRow>('select * from account_deletions where account_id = $1', [
      accountId,
    ]);
    const [row] = rows;
    if (!row) return;
    const by = { actor: `admin:${row.admin_id}`, correlationId: row.request_id ?? undefined };
    if (!(await this.erasure.erase(accountId, by))) await this.pool.query(GIVE_BACK, [accountId]);
    else if (!(await this.closings.has(accountId))) await this.pool.query(FINISH, [accountId, ERASE_AGAIN_SECONDS]);
  }

  private async record({ account_id, admin_id, reason_id, request_id }: DeletionRow): Promise<void> {
    const act = {
      type: 'AccountDeletionOrdered',
      adminId: admin_id,
      targetId: account_id,
      subjectId: null,
      reasonId: reason_id,
    } as const;
    await this.moderation.recordOnce(act, request_id ?? undefined);
    await this.closings.begin(account_id, `admin:${admin_id}`, request_id ?? undefined);
    await this.pool.query('update account_deletions set recorded_at = now() where account_id = $1', [account_id]);
  }
}
