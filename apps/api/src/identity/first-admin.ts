import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type pg from 'pg';
import { type Config, InjectConfig } from '../platform/config.js';
import { InjectPool } from '../platform/database/database.module.js';
import { IdentityChanges } from './identity-changes.js';

/** Makes the account with `ADMIN_EMAIL` an admin, or warns that there is none yet (`decisions.md`, Identity). */
@Injectable()
export class FirstAdmin implements OnApplicationBootstrap {
  private readonly logger = new Logger(FirstAdmin.name);

  constructor(
    @InjectConfig() private readonly config: Config,
    @InjectPool() private readonly pool: pg.Pool,
    private readonly changes: IdentityChanges,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { adminEmail } = this.config;
    if (adminEmail === undefined) return;
    const { rows } = await this.pool.query<{ id: string }>(
      'update accounts set is_admin = true where email_key = $1 and closed_at is null returning id',
      [adminEmail],
    );
    const accountId = rows[0]?.id;
    if (accountId !== undefined) return this.changes.publish({ kind: 'account', accountId });
    this.logger.warn(
      `ADMIN_EMAIL is ${adminEmail}, which has no account: whoever registers it first becomes an admin.`,
    );
  }
}
