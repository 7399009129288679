import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type pg from 'pg';
import { DataSource, IsNull } from 'typeorm';
import { InjectPool } from '../../platform/database/database.module.js';
import { AppError } from '../../platform/errors/app-error.js';
import { emailKey } from '../../platform/text.js';
import { AccountSecrets, recoveryHash } from '../account-secrets.js';
import { type Caller, Credentials } from '../credentials.js';
import { EmailField, MESSAGES, NewPasswordField, PinField } from '../credentials.dto.js';
import { Account } from '../entities.js';
import { RECOVERY_LOCK_MS, WRONG_PINS_MAX } from '../limits.js';
import { type Asker, SecretHashing } from '../secret-hashing.js';

export class RecoverDto {
  @EmailField(MESSAGES.required)
  email: string;

  /** The recovery PIN from registration. */
  @PinField(MESSAGES.required)
  pin: string;

  /** At least 8 characters. */
  @NewPasswordField(MESSAGES.required)
  newPassword: string;
}

/** Sets a new password by the recovery PIN and ends every session of the account (`decisions.md`, Identity). */
export class RecoverPassword extends Command<void> {
  constructor(
    readonly recovery: RecoverDto,
    readonly caller: Caller,
  ) {
    super();
  }
}

/**
 * Counts an attempt before it is made, in one statement, so that many at once cannot pass. An attempt an hour after the
 * last one, or after a lock, begins anew. No row comes back while the lock holds.
 */
const COUNT_ATTEMPT = `
  insert into recovery_attempts as r (email_hash, failures, locked_until, updated_at)
  values ($1, 1, null, now())
  on conflict (email_hash) do update set
    failures = case when r.updated_at < now() - $2 * interval '1 ms' then 1 else r.failures + 1 end,
    locked_until = case when r.updated_at >= now() - $2 * interval '1 ms' and r.failures + 1 >= $3
      then now() + $2 * interval '1 ms' end,
    updated_at = now()
  where r.locked_until is null or r.locked_until <= now()
  returning failures`;

/** Fewer than five wrong PINs lock nothing. */
const GIVE_BACK = `
  update recovery_attempts set failures = failures - 1, locked_until = null where email_hash = $1 and failures > 0`;

const SECONDS_LOCKED = `
  select ceil(extract(epoch from locked_until - now()))::int as seconds from recovery_attempts where email_hash = $1`;

@CommandHandler(RecoverPassword)
export class RecoverPasswordHandler implements ICommandHandler<RecoverPassword> {
  constructor(
    private readonly dataSource: DataSource,
    @InjectPool() private readonly pool: pg.Pool,
    private readonly credentials: Credentials,
    private readonly hashing: SecretHashing,
    private readonly secrets: AccountSecrets,
  ) {}

  /**
   * @throws AppError 401 wrong PIN or no such account, 429 `RECOVERY_LOCKED` after five wrong PINs, for an hour;
   * 503 busy, which counts as no attempt
   */
  async execute({ recovery: { email, pin, newPassword }, caller }: RecoverPassword): Promise<void> {
    const key = emailKey(email);
    const emailHash = recoveryHash(key);
    await this.refuseLocked(emailHash);
    const account = await this.credentials.counted(this.credentials.strangerBuckets(key, caller), async () => {
      await this.countAttempt(emailHash);
      return this.prove(key, pin, caller);
    });
    await this.secrets.recover(account, newPassword);
  }

  /** Undefined when the PIN is wrong. The attempt that was counted is given back unless it is. */
  private async prove(key: string, pin: string, asker: Asker): Promise<Account | undefined> {
    let isWrong = false;
    try {
      const found = await this.dataSource.getRepository(Account).findOneBy({ emailKey: key, closedAt: IsNull() });
      isWrong = !(await this.hashing.verify(found?.pinHash, pin, asker));
      return isWrong || !found ? undefined : found;
    } finally {
      if (!isWrong) await this.pool.query(GIVE_BACK, [recoveryHash(key)]);
    }
  }

  private async refuseLocked(emailHash: Buffer): Promise<void> {
    const { rows } = await this.pool.query<{ seconds: number | null }>(SECONDS_LOCKED, [emailHash]);
    const seconds = rows[0]?.seconds ?? 0;
    if (seconds > 0) throw recoveryLocked(seconds);
  }

  private async countAttempt(emailHash: Buffer): Promise<void> {
    const { rows } = await this.pool.query(COUNT_ATTEMPT, [emailHash, RECOVERY_LOCK_MS, WRONG_PINS_MAX]);
    // Another attempt at the same moment was the one too many.
    if (rows.length === 0) throw recoveryLocked(RECOVERY_LOCK_MS / 1000);
  }
}

const recoveryLocked = (retryAfterSeconds: number): AppError =>
  new AppError(429, 'RECOVERY_LOCKED', 'Too many wrong PINs: recovery is locked for an hour.', { retryAfterSeconds });
