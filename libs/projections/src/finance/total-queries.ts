import type { LedgerEventType } from '@app/domain';
import { READ_SCHEMA } from '../schema.js';
import type { Queryable } from '../tables/queryable.js';

/** Reads the read model `totals`. */
export class TotalQueries {
  constructor(private readonly db: Queryable) {}

  /** All NOVA of members, applications, escrow and pools, in minor units (rule admin-4). */
  async novaInCirculation(): Promise<bigint> {
    const found = await this.db.query<{ total: string }>(
      `select coalesce(sum(total), 0) as total from ${READ_SCHEMA}.account_kind_total
       where currency = 'NOVA' and (kind like 'user:%' or kind like 'app:%' or kind like 'pool:%' or kind = 'chat')`,
    );
    return BigInt(found.rows[0]?.total ?? 0);
  }

  /** How often each event has happened; events that never happened are absent. */
  async eventCounts(): Promise<ReadonlyMap<LedgerEventType, number>> {
    const found = await this.db.query<{ type: LedgerEventType; count: string }>(
      `select type, count from ${READ_SCHEMA}.event_count`,
    );
    return new Map(found.rows.map(({ type, count }) => [type, Number(count)]));
  }
}
