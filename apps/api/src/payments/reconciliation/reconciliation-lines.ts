import type pg from 'pg';
import { inTransaction } from '../../platform/database/in-transaction.js';
import type { LineKind, ProviderLine } from './provider-lines.js';
import type { Verdict } from './verdicts.js';

/** A stored line of either side, with the last run's result. */
export interface ReconciledLine extends ProviderLine, Verdict {
  readonly side: 'provider' | 'ledger';
  readonly explainedBy: string | null;
  readonly explainedAt: Date | null;
  /** The code of the difference that was explained. */
  readonly explainedCode: string | null;
  readonly reasonId: string | null;
  /** The run that judged it last. */
  readonly runId: string;
}

export type LineStatus = Verdict['status'];

interface LineRow {
  readonly subject: string;
  readonly side: 'provider' | 'ledger';
  readonly kind: LineKind;
  readonly provider_id: string | null;
  readonly payment_intent_id: string | null;
  readonly cents: string;
  readonly fee_cents: string;
  readonly happened_at: Date;
  readonly status: LineStatus;
  readonly code: string | null;
  readonly note: string | null;
  readonly event_id: string | null;
  readonly explained_by: string | null;
  readonly explained_at: Date | null;
  readonly explained_code: string | null;
  readonly reason_id: string | null;
  readonly run_id: string;
}

export interface LinePage {
  readonly status: LineStatus | 'all';
  readonly limit: number;
  readonly offset: number;
}

/** An admin's explanation stays valid while the line differs in the same way. */
const STAYS_EXPLAINED = `(excluded.status = 'flagged' and l.explained_by is not null
  and coalesce(l.explained_code, excluded.code) = excluded.code)`;

export const staysExplained = (line: ReconciledLine | undefined, { status, code }: Verdict): boolean =>
  status === 'flagged' && !!line?.explainedBy && (line.explainedCode ?? code) === code;

const UNSETTLED = `(status = 'flagged' or code in ('IN_TRANSIT', 'DISPUTE_OPEN', 'BY_ADMIN'))`;

/** The rows of `reconciliation_line`. */
export class ReconciliationLines {
  constructor(private readonly pool: Pick<pg.Pool, 'query' | 'connect'>) {}

  async find(subject: string): Promise<ReconciledLine | undefined> {
    const { rows } = await this.pool.query<LineRow>('select * from reconciliation_line where subject = $1', [subject]);
    return rows[0] && toLine(rows[0]);
  }

  /** The provider's side of our events, from any run: the event that each line matched; null for a line without one. */
  async eventsAtProvider(
    side: { readonly paymentIntentId: string } | { readonly providerId: string },
  ): Promise<readonly (string | null)[]> {
    const [condition, id] =
      'paymentIntentId' in side
        ? [`kind = 'payment' and payment_intent_id = $1`, side.paymentIntentId]
        : ['provider_id = $1', side.providerId];
    const { rows } = await this.pool.query<{ event_id: string | null }>(
      `select event_id from reconciliation_line where side = 'provider' and ${condition}`,
      [id],
    );
    return rows.map(({ event_id }) => event_id);
  }

  async save(runId: string, side: ReconciledLine['side'], line: ProviderLine, verdict: Verdict): Promise<void> {
    const { subject, kind, providerId, paymentIntentId, cents, feeCents, at } = line;
    const { status, code, note, eventId } = verdict;
    await this.pool.query(
      `insert into reconciliation_line as l (subject, side, kind, provider_id, payment_intent_id, cents, fee_cents,
         happened_at, status, code, note, event_id, run_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       on conflict (subject) do update set run_id = excluded.run_id, event_id = excluded.event_id, note = excluded.note,
         status = case when ${STAYS_EXPLAINED} then 'explained' else excluded.status end,
         code = case when ${STAYS_EXPLAINED} then 'BY_ADMIN' else excluded.code end,
         explained_by = case when ${STAYS_EXPLAINED} then l.explained_by end,
         explained_at = case when ${STAYS_EXPLAINED} then l.explained_at end,
         explained_code = case when ${STAYS_EXPLAINED} then l.explained_code end,
         reason_id = case when ${STAYS_EXPLAINED} then l.reason_id end`,
      [subject, side, kind, providerId, paymentIntentId, cents, feeCents, at, status, code, note, eventId, runId],
    );
  }

  async remove(subject: string): Promise<void> {
    await this.pool.query('delete from reconciliation_line where subject = $1', [subject]);
  }

  /** Lines that earlier runs left open and that this run has not seen. */
  async unsettledBefore(runId: string, after: string, limit: number): Promise<readonly ReconciledLine[]> {
    const { rows } = await this.pool.query<LineRow>(
      `select * from reconciliation_line where ${UNSETTLED} and run_id <> $1 and subject > $2 order by subject limit $3`,
      [runId, after, limit],
    );
    return rows.map(toLine);
  }

  /**
   * Stores an explanation once it is recorded. A second caller waits, and finds the line explained.
   * @returns false if the line is not flagged
   */
  explain(
    subject: string,
    { adminId, reasonId }: { readonly adminId: string; readonly reasonId: string },
    record: () => Promise<void>,
  ): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        `select from reconciliation_line where subject = $1 and status = 'flagged' for update`,
        [subject],
      );
      if (rowCount === 0) return false;
      await record();
      await client.query(
        `update reconciliation_line set status = 'explained', explained_code = code, code = 'BY_ADMIN', explained_by = $2,
           explained_at = now(), reason_id = $3
         where subject = $1`,
        [subject, adminId, reasonId],
      );
      return true;
    });
  }

  /** Flagged lines of this payment, refund, dispute or movement. */
  async flaggedAbout(id: string): Promise<readonly ReconciledLine[]> {
    const { rows } = await this.pool.query<LineRow>(
      `select * from reconciliation_line where status = 'flagged' and $1 in (subject, provider_id, payment_intent_id)
       order by subject`,
      [id],
    );
    return rows.map(toLine);
  }

  /** How many flagged lines have no explanation. */
  async flagged(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `select count(*)::int as count from reconciliation_line where status = 'flagged'`,
    );
    return rows[0]?.count ?? 0;
  }

  async page({ status, limit, offset }: LinePage): Promise<{
    readonly lines: readonly ReconciledLine[];
    readonly total: number;
  }> {
    const wanted = `where ($1::text = 'all' or status = $1)`;
    const [{ rows }, counted] = await Promise.all([
      this.pool.query<LineRow>(
        `select * from reconciliation_line ${wanted} order by happened_at desc, subject desc limit $2 offset $3`,
        [status, limit, offset],
      ),
      this.pool.query<{ total: number }>(`select count(*)::int as total from reconciliation_line ${wanted}`, [status]),
    ]);
    return { lines: rows.map(toLine), total: counted.rows[0]?.total ?? 0 };
  }
}

const toLine = (row: LineRow): ReconciledLine => ({
  subject: row.subject,
  side: row.side,
  kind: row.kind,
  providerId: row.provider_id,
  paymentIntentId: row.payment_intent_id,
  cents: Number(row.cents),
  feeCents: Number(row.fee_cents),
  at: row.happened_at,
  status: row.status,
  code: row.code,
  note: row.note,
  eventId: row.event_id,
  explainedBy: row.explained_by,
  explainedAt: row.explained_at,
  explainedCode: row.explained_code,
  reasonId: row.reason_id,
  runId: row.run_id,
});
