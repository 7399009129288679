import { READ_SCHEMA } from '../schema.js';
import type { Queryable } from '../tables/queryable.js';
import type { Selected } from '../tables/table.js';
import { receivable } from './receivables.js';

const RECEIVABLE = receivable.select();

/** A receivable, by the refund or dispute that it comes from. Amounts in minor units. */
export type ReceivableRow = Selected<typeof RECEIVABLE>;

const OPEN = `r.open > 0 and not exists (select from ${READ_SCHEMA}.receivable_lost l where l.user_id = r.user_id)`;

/** Reads the read model `receivables`. */
export class ReceivableQueries {
  constructor(private readonly db: Queryable) {}

  /** Open receivables, oldest first, with their number and sum. */
  async open({ limit, offset }: { readonly limit: number; readonly offset: number }): Promise<{
    readonly rows: readonly ReceivableRow[];
    readonly count: number;
    readonly sum: bigint;
  }> {
    const [page, all] = await Promise.all([
      this.db.query(
        `select ${RECEIVABLE.of('r')} from ${READ_SCHEMA}.receivable r where ${OPEN}
         order by r.opened_at, r.reversal_id limit $1 offset $2`,
        [limit, offset],
      ),
      this.db.query<{ count: number; sum: string }>(
        `select count(*)::int as count, coalesce(sum(r.open), 0) as sum from ${READ_SCHEMA}.receivable r where ${OPEN}`,
        [],
      ),
    ]);
    const rows = page.rows.map((row) => RECEIVABLE.read(row));
    return { rows, count: all.rows[0]?.count ?? 0, sum: BigInt(all.rows[0]?.sum ?? 0) };
  }

  /** What a refund or dispute could not take, open or not; undefined if it took everything. */
  async find(reversalId: string): Promise<ReceivableRow | undefined> {
    const { rows } = await this.db.query(
      `select ${RECEIVABLE.of('r')} from ${READ_SCHEMA}.receivable r where r.reversal_id = $1`,
      [reversalId],
    );
    return rows.map((row) => RECEIVABLE.read(row))[0];
  }
}
