import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { ApplicationWallets } from './application-wallets.js';

const SWEEP_MS = 10 * 60 * 1000;
const BATCH = 5_000;

const EXPIRED = `
  delete from oauth_payloads where (model, id) in (
    select model, id from oauth_payloads where expires_at <= now() limit $1 for update skip locked)`;

/** Payments that were under way when their application was deleted have arrived by then. */
const JUST_DELETED = `
  select client_id as "clientId", owner_id as "ownerId" from oauth_applications
  where deleted_at between now() - interval '1 day' and now() - interval '1 minute'`;

/** Deletes codes, tokens and the like that have expired, and brings home what came late to a deleted application's wallet. */
@Injectable()
export class OAuthHousekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(OAuthHousekeeping.name);
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly wallets: ApplicationWallets,
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

  async sweep(): Promise<void> {
    try {
      for (let deleted = BATCH; deleted === BATCH;) {
        deleted = (await this.pool.query(EXPIRED, [BATCH])).rowCount ?? 0;
      }
      const { rows } = await this.pool.query<{ clientId: string; ownerId: string }>(JUST_DELETED);
      for (const application of rows) await this.wallets.empty(application);
    } catch (error) {
      this.logger.warn({ err: error }, 'sweeping what applications left behind failed; the next round will do');
    }
  }
}
