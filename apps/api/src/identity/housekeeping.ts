import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { HOUSEKEEPING, Rounds } from '../platform/rounds.js';
import { SWEEP_RATE_LIMITS } from '../platform/rate-limit/shared-rate-limiter.js';
import { SWEEP_MAIL_TOKENS } from './mail/mail-tokens.js';
import { SWEEP_MAILS } from './mail/outgoing-mails.js';
import { RecoveryAttempts } from './recovery-attempts.js';
import { Sessions } from './sessions.js';

/** Deletes sessions that have ended, and counts and attempts that no longer count, and mails and links that are done with. */
@Injectable()
export class Housekeeping extends Rounds {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly sessions: Sessions,
    private readonly recoveryAttempts: RecoveryAttempts,
  ) {
    super(HOUSEKEEPING, 'sweeping ended sessions');
  }

  protected override async round(): Promise<void> {
    await this.sessions.sweep();
    await this.pool.query(SWEEP_RATE_LIMITS);
    await this.recoveryAttempts.sweep();
    await this.pool.query(SWEEP_MAIL_TOKENS);
    await this.pool.query(SWEEP_MAILS);
  }
}
