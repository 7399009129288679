import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { HOUSEKEEPING, Rounds } from '../platform/rounds.js';
import { SWEEP_RATE_LIMITS } from '../platform/rate-limit/shared-rate-limiter.js';
import { RECOVERY_LOCK_MS } from './limits.js';
import { Sessions } from './sessions.js';

/** Deletes sessions that have ended, and counts and attempts that no longer count. */
@Injectable()
export class Housekeeping extends Rounds {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly sessions: Sessions,
  ) {
    super(HOUSEKEEPING, 'sweeping ended sessions');
  }

  protected override async round(): Promise<void> {
    await this.sessions.sweep();
    await this.pool.query(SWEEP_RATE_LIMITS);
    await this.pool.query(
      `delete from recovery_attempts
       where updated_at < now() - $1 * interval '1 ms' and (locked_until is null or locked_until <= now())`,
      [RECOVERY_LOCK_MS],
    );
  }
}
