import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { HOUSEKEEPING, Rounds } from '../platform/rounds.js';
import { ApplicationWallets } from './application-wallets.js';
import { boundAllRows } from './payload-bounds.js';

const BATCH = 5_000;

const EXPIRED = `
  delete from oauth_payloads where (model, id) in (
    select model, id from oauth_payloads where expires_at <= now() limit $1 for update skip locked)`;

/** By then, payments that were in progress when their application was deleted have arrived. */
const JUST_DELETED = `
  select client_id as "clientId", owner_id as "ownerId" from oauth_applications
  where deleted_at between now() - interval '1 day' and now() - interval '1 minute'`;

/**
 * Deletes codes, tokens and the like that have expired or exceed their number, and returns Nova that arrived late in a
 * deleted application's wallet.
 */
@Injectable()
export class OAuthHousekeeping extends Rounds {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly wallets: ApplicationWallets,
  ) {
    super(HOUSEKEEPING, 'sweeping what applications left behind');
  }

  protected override round(): Promise<void> {
    return this.sweep();
  }

  async sweep(): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH;) {
      deleted = (await this.pool.query(EXPIRED, [BATCH])).rowCount ?? 0;
    }
    await boundAllRows(this.pool);
    const { rows } = await this.pool.query<{ clientId: string; ownerId: string }>(JUST_DELETED);
    for (const application of rows) await this.wallets.empty(application);
  }
}
