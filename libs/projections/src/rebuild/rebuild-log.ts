import { Client } from 'pg';
import type { Queryable } from '../tables/queryable.js';
import { READ_SCHEMA } from '../schema.js';
import { replicaSchema } from './replica.js';
import type { OnRebuildProgress, RebuildPhase, RebuildProgress } from './rebuild-progress.js';

const WRITE_EVERY_MS = 500;

/** The last rebuild of a read model, by any process. */
export interface RebuildRecord {
  readonly name: string;
  readonly phase: RebuildPhase;
  /**
   * Whether a process is running it now. A rebuild without a process and without a final phase was interrupted: the
   * live tables are unchanged.
   */
  readonly running: boolean;
  readonly eventsDone: number;
  readonly eventsTotal: number;
  readonly beganAt: Date;
  readonly updatedAt: Date;
  /** The result as a sentence. Empty while it runs. */
  readonly outcome: string;
}

/**
 * Records the progress of a rebuild in a table, which any server can read. If a write fails, the rebuild continues: the
 * record is only for information.
 */
export class RebuildLog {
  private last: Promise<unknown> = Promise.resolve();
  private writtenAtMs = 0;
  private phase: RebuildPhase | undefined;

  private constructor(
    private readonly client: Client,
    private readonly names: readonly string[],
  ) {}

  /** Called only once this process owns the replicas, so that it leaves another one's records alone. */
  static async begin(connectionString: string, names: readonly string[]): Promise<RebuildLog> {
    const client = new Client({ connectionString, application_name: 'nova rebuild progress' });
    client.on('error', () => undefined);
    await client.connect();
    const log = new RebuildLog(client, names);
    log.write(
      `insert into ${READ_SCHEMA}.rebuild (name) select unnest($1::text[]) on conflict (name) do update
       set phase = 'reading', events_done = 0, events_total = 0, outcome = '', began_at = clock_timestamp(),
         updated_at = clock_timestamp()`,
      [names],
    );
    return log;
  }

  readonly progress: OnRebuildProgress = ({ phase, eventsDone, eventsTotal }: RebuildProgress): void => {
    const now = performance.now();
    if (phase === this.phase && now - this.writtenAtMs < WRITE_EVERY_MS) return;
    this.writtenAtMs = now;
    this.phase = phase;
    this.write(
      `update ${READ_SCHEMA}.rebuild set phase = $2, events_done = $3, events_total = $4, updated_at = clock_timestamp()
       where name = any($1) and outcome = ''`,
      [this.names, phase, eventsDone, eventsTotal],
    );
  };

  ended(names: readonly string[], phase: 'done' | 'differs' | 'failed', outcome: string): void {
    this.write(
      `update ${READ_SCHEMA}.rebuild set phase = $2, outcome = $3, updated_at = clock_timestamp()
       where name = any($1) and outcome = ''`,
      [names, phase, outcome],
    );
  }

  async close(): Promise<void> {
    await this.last;
    await this.client.end();
  }

  private write(sql: string, values: readonly unknown[]): void {
    this.last = this.last.then(() => this.client.query(sql, [...values])).catch(() => undefined);
  }
}

/** The advisory lock that a rebuild holds (`Replica.open`), as `pg_locks` shows it. */
const IS_RUNNING = `exists (
  select 1 from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())
    and ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended('projections:${replicaSchema('')}' || r.name, 0))`;

/** The last rebuild of every read model that was ever rebuilt. */
export async function readRebuilds(db: Queryable): Promise<RebuildRecord[]> {
  const { rows } = await db.query<{
    name: string;
    phase: RebuildPhase;
    running: boolean;
    events_done: string;
    events_total: string;
    began_at: Date;
    updated_at: Date;
    outcome: string;
  }>(
    `select r.name, r.phase, ${IS_RUNNING} as running, r.events_done, r.events_total, r.began_at, r.updated_at, r.outcome
     from ${READ_SCHEMA}.rebuild r order by r.name`,
  );
  return rows.map((row) => ({
    name: row.name,
    phase: row.phase,
    running: row.running,
    eventsDone: Number(row.events_done),
    eventsTotal: Number(row.events_total),
    beganAt: row.began_at,
    updatedAt: row.updated_at,
    outcome: row.outcome,
  }));
}
