import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { SWEEP_RATE_LIMITS } from '../platform/rate-limit/shared-rate-limiter.js';
import { RECOVERY_LOCK_MS } from './limits.js';
import { Sessions } from './sessions.js';

const SWEEP_MS = 10 * 60 * 1000;

/** Deletes sessions that have ended, and counts and attempts that no longer count. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Housekeeping.name);
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly sessions: Sessions,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping = this.sweep();
    }, SWEEP_MS);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  private async sweep(): Promise<void> {
    try {
      await this.sessions.sweep();
      await this.pool.query(SWEEP_RATE_LIMITS);
      await this.pool.query(
        `delete from recovery_attempts
         where updated_at < now() - $1 * interval '1 ms' and (locked_until is null or locked_until <= now())`,
        [RECOVERY_LOCK_MS],
      );
    } catch (error) {
      this.logger.warn({ err: error }, 'sweeping ended sessions failed; the next round will do');
    }
  }
}
