import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { AppError } from '../platform/errors/app-error.js';
import { recoveryHash } from './account-secrets.js';
import type { Account } from './entities.js';
import { RECOVERIES_OF_NOBODY_MAX, RECOVERY_FORGOTTEN_MS, RECOVERY_PAUSES_MS, WRONG_PINS_MAX } from './limits.js';
import { SecurityNotices } from './security-notices.js';

/**
 * Where wrong PINs count. What belongs to no account, or to an admin, counts in a table of its own in exactly the same way: then no
 * answer, pause or time tells who has an account, and strangers leave no lasting rows. That table keeps the newest
 * `RECOVERIES_OF_NOBODY_MAX`. To push an address out of it, and to see that it is nobody's by the pause that ends early, takes more
 * requests than registration needs to say that an address is taken.
 */
type Table = 'recovery_attempts' | 'recovery_attempts_of_nobody';

/** Pauses that still count towards the length of the next one. */
const RECENT_PAUSES = `array(select at from unnest(r.pauses) at where at > now() - $2 * interval '1 ms')`;
/** The row is obsolete: its pause is over, or nobody has tried for long. */
const IS_OVER = `(r.locked_until is not null or r.updated_at < now() - $2 * interval '1 ms')`;
const IS_LAST = `(not ${IS_OVER} and r.failures + 1 >= $3)`;

/**
 * Counts an attempt before it is made, in one statement, so that many at once cannot pass: the last one begins the pause, which
 * is taken back unless its PIN is wrong. No row comes back during a pause.
 */
const countIn = (table: Table): string => `
  insert into ${table} as r (email_hash, failures, locked_until, updated_at) values ($1, 1, null, now())
  on conflict (email_hash) do update set
    failures = case when ${IS_OVER} then 1 else r.failures + 1 end,
    locked_until = case when ${IS_LAST} then
      now() + ($4::bigint[])[least(cardinality(${RECENT_PAUSES}) + 1, cardinality($4::bigint[]))] * interval '1 ms' end,
    pauses = case when ${IS_LAST} then ${RECENT_PAUSES} || now() else ${RECENT_PAUSES} end,
    updated_at = now()
  where r.locked_until is null or r.locked_until <= now()
  returning extract(epoch from locked_until - now()) as paused_seconds`;

/** Fewer than five wrong PINs cause no pause. */
const giveBackIn = (table: Table): string => `
  update ${table} set
    failures = failures - 1,
    pauses = case when locked_until is null then pauses else pauses[:cardinality(pauses) - 1] end,
    locked_until = null
  where email_hash = $1 and failures > 0`;

const secondsLeftIn = (table: Table): string =>
  `select extract(epoch from locked_until - now()) as paused_seconds from ${table} where email_hash = $1`;

const forgetIn = (table: Table): string => `
  delete from ${table}
  where updated_at < now() - $1 * interval '1 ms' and (locked_until is null or locked_until <= now())`;

const FORGET_OLDEST_OF_NOBODY = `
  delete from recovery_attempts_of_nobody where email_hash in (
    select email_hash from recovery_attempts_of_nobody order by updated_at desc offset $1)`;

interface PausedRow {
  readonly paused_seconds: string | null;
}

/**
 * Wrong recovery PINs from browsers that the account does not know. Each five pause recovery by PIN, longer each time; a pause counts
 * for a week. Nothing else is paused by it: neither signing in, nor recovery in a browser that is known, by mail or by a passkey.
 */
@Injectable()
export class RecoveryAttempts {
  private readonly logger = new Logger(RecoveryAttempts.name);

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly notices: SecurityNotices,
  ) {}

  /**
   * Runs a proof by PIN under the limit; `undefined` is a wrong one. Whatever else goes wrong counts as no attempt.
   * @param account undefined where this address recovers nothing
   * @throws AppError 429 `RECOVERY_LOCKED` during a pause
   */
  async counted<T>(
    emailKey: string,
    account: Account | undefined,
    prove: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const table: Table = account ? 'recovery_attempts' : 'recovery_attempts_of_nobody';
    const emailHash = recoveryHash(emailKey);
    const pausedSeconds = await this.count(table, emailHash);
    let isWrong = false;
    try {
      const proof = await prove();
      isWrong = proof === undefined;
      return proof;
    } finally {
      if (!isWrong) await this.pool.query(giveBackIn(table), [emailHash]);
      // Not waited for: the time that it takes would tell that there is an account.
      else if (account && pausedSeconds > 0) void this.tell(account, pausedSeconds);
    }
  }

  /** Deletes what no longer counts. */
  async sweep(): Promise<void> {
    for (const table of ['recovery_attempts', 'recovery_attempts_of_nobody'] as const) {
      await this.pool.query(forgetIn(table), [RECOVERY_FORGOTTEN_MS]);
    }
    await this.pool.query(FORGET_OLDEST_OF_NOBODY, [RECOVERIES_OF_NOBODY_MAX]);
  }

  /** How long recovery is paused should this attempt be a wrong one; 0 for not at all. */
  private async count(table: Table, emailHash: Buffer): Promise<number> {
    const values = [emailHash, RECOVERY_FORGOTTEN_MS, WRONG_PINS_MAX, RECOVERY_PAUSES_MS];
    const { rows } = await this.pool.query<PausedRow>(countIn(table), values);
    if (rows[0]) return Number(rows[0].paused_seconds ?? 0);
    const left = await this.pool.query<PausedRow>(secondsLeftIn(table), [emailHash]);
    throw recoveryPaused(Math.max(1, Math.ceil(Number(left.rows[0]?.paused_seconds ?? 1))));
  }

  private async tell({ id }: Account, pausedSeconds: number): Promise<void> {
    try {
      await this.notices.tellOnceADay(id, { kind: 'recovery_paused', hours: hoursOf(pausedSeconds) });
    } catch (error) {
      this.logger.warn({ err: error, accountId: id }, 'a member could not be told that recovery is paused');
    }
  }
}

const SECONDS_OF_HOUR = 3600;
const hoursOf = (seconds: number): number => Math.ceil(seconds / SECONDS_OF_HOUR);

function recoveryPaused(retryAfterSeconds: number): AppError {
  const hours = hoursOf(retryAfterSeconds);
  const time = hours === 1 ? 'hour' : `${hours} hours`;
  const message =
    `Too many wrong PINs: recovery by PIN is paused for the next ${time}. ` +
    'It still works in a browser that has signed in to this account before.';
  return new AppError(429, 'RECOVERY_LOCKED', message, { retryAfterSeconds });
}
