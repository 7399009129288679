import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { HOUSEKEEPING, Rounds } from '../platform/rounds.js';
import { ApplicationWallets } from './application-wallets.js';
import { CALLS_KEPT_DAYS, CALLS_KEPT_MAX } from './limits.js';
import { boundAllRows } from './payload-bounds.js';

const BATCH = 5_000;

const EXPIRED = `
  delete from oauth_payloads where (model, id) in (
    select model, id from oauth_payloads where expires_at <= now() limit $1 for update skip locked)`;

const OLD_CALLS = `
  delete from application_calls where id in (
    select id from application_calls where at < now() - ${CALLS_KEPT_DAYS} * interval '1 day' order by at limit $1)`;

/** Of deleted applications: what was under way was logged after the deletion. */
const CALLS_OF_NOBODY = `
  delete from application_calls where client_id in (select client_id from oauth_applications where deleted_at is not null)`;

/** The first call that stays tells how many before it did not. */
const TOO_MANY_CALLS = `
  with first as (
    select a.client_id, kept.id from oauth_applications a cross join lateral (
      select id from application_calls where client_id = a.client_id order by id desc offset ${CALLS_KEPT_MAX - 1} limit 1
    ) kept),
  gone as (
    delete from application_calls c using first f where c.client_id = f.client_id and c.id < f.id
    returning f.id as first_id, c.left_out)
  update application_calls c set left_out = c.left_out + g.more
  from (select first_id, sum(left_out) + count(*) as more from gone group by first_id) g where c.id = g.first_id`;

/** By then, payments that were in progress when their application was deleted have arrived. */
const JUST_DELETED = `
  select client_id as "clientId", owner_id as "ownerId" from oauth_applications
  where deleted_at between now() - interval '1 day' and now() - interval '1 minute'`;

/**
 * Deletes codes, tokens and the like, and logged calls, that have expired or exceed their number, and returns Nova that arrived late in a
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
    await this.sweepCalls();
    const { rows } = await this.pool.query<{ clientId: string; ownerId: string }>(JUST_DELETED);
    for (const application of rows) await this.wallets.empty(application);
  }
  /** Keeps the logs of calls within their limits (rule oauth-28). */
  async sweepCalls(): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH;) {
      deleted = (await this.pool.query(OLD_CALLS, [BATCH])).rowCount ?? 0;
    }
    await this.pool.query(CALLS_OF_NOBODY);
    await this.pool.query(TOO_MANY_CALLS);
  }
}
