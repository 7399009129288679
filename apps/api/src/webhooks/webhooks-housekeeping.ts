import { Injectable } from '@nestjs/common';
import { applicationIdOf } from '@app/domain';
import type pg from 'pg';
import { addNotices } from '../notices/notices.js';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { Rounds } from '../platform/rounds.js';
import { DELIVERIES_KEPT_DAYS, DELIVERIES_KEPT_MAX } from './limits.js';

const EVERY_MS = 60_000;
/** Rows that one statement removes. */
const BATCH = 5_000;

const removing = (which: string): string => `
  with removed as (delete from webhook_deliveries where id in (${which}) returning endpoint_id, next_at)
  select endpoint_id as "endpointId", count(*)::int as removed, count(next_at)::int as waiting from removed group by 1`;

const OLD = removing(`
  select id from webhook_deliveries where created_at < now() - ${DELIVERIES_KEPT_DAYS} * interval '1 day'
  order by created_at limit $1 for update skip locked`);

const TOO_MANY = removing(`
  select d.id from webhook_endpoints e join webhook_deliveries d
    on d.endpoint_id = e.id and d.sequence <= e.last_sequence - ${DELIVERIES_KEPT_MAX}
  limit $1 for update of d skip locked`);

/** In the order of everybody who locks endpoints. */
const LOCK = 'select from webhook_endpoints where id = any($1) order by id for update';

const DROPPED = `
  update webhook_endpoints e set dropped = e.dropped + d.count, dropped_at = now()
  from unnest($1::uuid[], $2::int[]) as d(id, count) where e.id = d.id
  returning e.id, e.owner_id as "ownerId", e.client_id as "clientId"`;

interface RemovedRow {
  readonly endpointId: string;
  readonly removed: number;
  readonly waiting: number;
}

/** Endpoints of applications that are gone. */
const ORPHANS = `
  delete from webhook_endpoints where application_id in (
    select client_id from application_directory where deleted_at is not null)`;

/** Removes deliveries that are too old or too many, tells the developer of those that still waited, and removes endpoints of deleted applications (rule webhooks-8). */
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
      for (let removed = BATCH; removed === BATCH;)
        removed = await inTransaction(this.pool, (client) => remove(client, sql));
    }
    await this.pool.query(ORPHANS);
  }
}

/** @returns how many */
async function remove(client: pg.PoolClient, sql: string): Promise<number> {
  const { rows } = await client.query<RemovedRow>(sql, [BATCH]);
  const dropped = rows.filter(({ waiting }) => waiting > 0);
  if (dropped.length > 0) await tellOfDropped(client, dropped);
  return rows.reduce((sum, { removed }) => sum + removed, 0);
}

/** A notice a day for each endpoint. */
async function tellOfDropped(client: pg.PoolClient, dropped: readonly RemovedRow[]): Promise<void> {
  const ids = dropped.map(({ endpointId }) => endpointId);
  await client.query(LOCK, [ids]);
  const { rows } = await client.query<{ id: string; ownerId: string; clientId: string }>(DROPPED, [
    ids,
    dropped.map(({ waiting }) => waiting),
  ]);
  const at = Date.now();
  const day = new Date(at).toISOString().slice(0, 10);
  await addNotices(
    (sql, values) => client.query(sql, values),
    rows.map(({ id, ownerId: memberId, clientId }) => ({
      memberId,
      source: `webhook-dropped:${id}:${day}`,
      kind: 'webhook_dropped' as const,
      facts: { clientId: applicationIdOf(clientId) },
      at,
    })),
  );
}
