import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { Rounds } from '../platform/rounds.js';
import { DELIVERIES_KEPT_DAYS, DELIVERIES_KEPT_MAX } from './limits.js';

const EVERY_MS = 60_000;
/** Rows that one statement removes. */
const BATCH = 5_000;

const OLD = `
  delete from webhook_deliveries where id in (
    select id from webhook_deliveries where created_at < now() - ${DELIVERIES_KEPT_DAYS} * interval '1 day'
    order by created_at limit $1 for update skip locked)`;

const TOO_MANY = `
  delete from webhook_deliveries where id in (
    select d.id from webhook_endpoints e join webhook_deliveries d
      on d.endpoint_id = e.id and d.sequence <= e.last_sequence - ${DELIVERIES_KEPT_MAX}
    limit $1 for update of d skip locked)`;

/** Endpoints of applications that are gone. */
const ORPHANS = `
  delete from webhook_endpoints where application_id in (
    select client_id from application_directory where deleted_at is not null)`;

/** Removes deliveries that are too old or too many, and endpoints of deleted applications (rule webhooks-8). */
@Injectable()
export class WebhooksHousekeeping extends Rounds {
  constructor(@InjectPool() private readonly pool: pg.Pool) {
    super({ firstAfterMs: EVERY_MS, everyMs: EVERY_MS }, 'sweeping webhooks');
  }

  protected override round(): Promise<void> {
    return this.sweep();
  }

  async sweep(): Promise<void> {
    for (const sql of [OLD, TOO_MANY]) {
      for (let removed = BATCH; removed === BATCH;) removed = (await this.pool.query(sql, [BATCH])).rowCount ?? 0;
    }
    await this.pool.query(ORPHANS);
  }
}
