import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { isTakenSql } from '../../platform/database/sole-owner.js';

export interface ReconciliationRun {
  readonly id: string;
  readonly actor: string;
  readonly from: Date;
  readonly until: Date;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Whether a process works on the run now. A run without a process that did not finish was interrupted. */
  readonly isRunning: boolean;
  /** Why it did not finish. */
  readonly error: string | null;
  readonly matched: number;
  readonly explained: number;
  readonly flagged: number;
  /** US cents: the amount that moved, its fees, and the change of the provider's balance. */
  readonly grossCents: number;
  readonly feeCents: number;
  readonly netCents: number;
}

interface RunRow {
  readonly id: string;
  readonly actor: string;
  readonly from_at: Date;
  readonly until_at: Date;
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly running: boolean;
  readonly error: string | null;
  readonly matched: number;
  readonly explained: number;
  readonly flagged: number;
  readonly gross_cents: string;
  readonly fee_cents: string;
  readonly net_cents: string;
}

export interface RunWindow {
  readonly from: Date;
  readonly until: Date;
}

/** Who begins the daily runs. */
export const DAILY = 'process';

/** The advisory lock of the process that reconciles. */
export const RECONCILIATION_LOCK = 4_021_102;

/** One process reconciles at a time, and its run is the last one. */
const IS_RUNNING = `(r.finished_at is null and ${isTakenSql(RECONCILIATION_LOCK)}
  and not exists (select from reconciliation_run later where later.started_at > r.started_at))`;

const SELECT_RUN = `select r.*, ${IS_RUNNING} as running from reconciliation_run r`;

/** The rows of `reconciliation_run`. */
export class ReconciliationRuns {
  constructor(private readonly pool: Pick<pg.Pool, 'query'>) {}

  async begin(actor: string, { from, until }: RunWindow): Promise<string> {
    const id = uuidv7();
    await this.pool.query('insert into reconciliation_run (id, actor, from_at, until_at) values ($1, $2, $3, $4)', [
      id,
      actor,
      from,
      until,
    ]);
    return id;
  }

  async finish(id: string): Promise<void> {
    await this.pool.query(
      `update reconciliation_run r set finished_at = clock_timestamp(), matched = s.matched, explained = s.explained,
         flagged = s.flagged, gross_cents = s.gross, fee_cents = s.fees, net_cents = s.gross - s.fees
       from (
         select count(*) filter (where status = 'matched') as matched, count(*) filter (where status = 'explained') as explained,
           count(*) filter (where status = 'flagged') as flagged,
           coalesce(sum(cents) filter (where moved_then), 0) as gross,
           coalesce(sum(fee_cents) filter (where moved_then), 0) as fees
         from (
           select l.*, l.side = 'provider' and l.happened_at >= o.from_at and l.happened_at < o.until_at as moved_then
           from reconciliation_line l join reconciliation_run o on o.id = l.run_id where o.id = $1
         ) l
       ) s where r.id = $1`,
      [id],
    );
  }

  async fail(id: string, error: string): Promise<void> {
    await this.pool.query('update reconciliation_run set finished_at = clock_timestamp(), error = $2 where id = $1', [
      id,
      error,
    ]);
  }

  async find(id: string): Promise<ReconciliationRun | undefined> {
    const { rows } = await this.pool.query<RunRow>(`${SELECT_RUN} where id = $1`, [id]);
    return rows[0] && toRun(rows[0]);
  }

  async page({ limit, offset }: { readonly limit: number; readonly offset: number }): Promise<{
    readonly runs: readonly ReconciliationRun[];
    readonly total: number;
  }> {
    const [{ rows }, counted] = await Promise.all([
      this.pool.query<RunRow>(`${SELECT_RUN} order by started_at desc, id desc limit $1 offset $2`, [limit, offset]),
      this.pool.query<{ total: number }>('select count(*)::int as total from reconciliation_run'),
    ]);
    return { runs: rows.map(toRun), total: counted.rows[0]?.total ?? 0 };
  }

  /** The end of the period that the actor's finished runs cover; undefined before the first. */
  async lookedUntil(actor: string): Promise<Date | undefined> {
    const { rows } = await this.pool.query<{ until: Date | null }>(
      'select max(until_at) as until from reconciliation_run where actor = $1 and finished_at is not null and error is null',
      [actor],
    );
    return rows[0]?.until ?? undefined;
  }

  /** Whether the daily job has covered everything before a moment, is running, or failed a short while ago. */
  async isDone(actor: string, until: Date, { retrySeconds }: { readonly retrySeconds: number }): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `select from reconciliation_run r where actor = $1 and until_at >= $2 and (${IS_RUNNING} or (finished_at is not null
         and (error is null or started_at > now() - make_interval(secs => $3)))) limit 1`,
      [actor, until, retrySeconds],
    );
    return rowCount === 1;
  }
}

const toRun = (row: RunRow): ReconciliationRun => ({
  id: row.id,
  actor: row.actor,
  from: row.from_at,
  until: row.until_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  isRunning: row.running,
  error: row.error,
  matched: row.matched,
  explained: row.explained,
  flagged: row.flagged,
  grossCents: Number(row.gross_cents),
  feeCents: Number(row.fee_cents),
  netCents: Number(row.net_cents),
});
