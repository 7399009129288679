import { LEDGER_STREAM } from '@app/domain';
import { PostgresEventStore } from '@app/event-store';
import { PostgresSnapshots, SnapshotFollower, snapshotMigrations, ThreadedJournal } from '@app/ledger';
import { projectionMigrations, ProjectionRunner, readModels } from '@app/projections';
import pg from 'pg';
import { periodsMigrations } from '../../apps/api/src/finance/periods/migrations.js';
import type { VerifyOptions } from '../../apps/api/src/finance/verify.js';
import { closeBooks } from './closed-books.js';
import { fill, timed, type History, type Log } from './history.js';
import type { Figure } from './report.js';
import { soundFindings } from './sound-findings.js';
import type { Surroundings } from './surroundings.js';

const HISTORY: History = { accounts: 100_000, events: 1_000_000 };
const JOURNAL_WORKER = new URL('../../apps/api/src/platform/ledger/journal-worker.js', import.meta.url);
const PERIOD_WORKER = new URL('../../apps/api/src/finance/periods/period-audit-worker.js', import.meta.url);
const READ_MODELS_MS_MAX = 60 * 60_000;

/** Measures `npm run ledger -- verify`: the journal, the snapshot, statements, and every read model computed again. */
export async function benchVerify(surroundings: Surroundings, log: Log): Promise<Figure[]> {
  const url = await surroundings.database();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const store = await PostgresEventStore.open({ connectionString: url });
  try {
    const migrations = [...snapshotMigrations, ...projectionMigrations, ...periodsMigrations];
    for (const { sql } of migrations) await pool.query(sql);
    await fill(store, HISTORY, log);
    log('  the period is closed');
    await closeBooks(store, pool);
    log('  read models are made');
    await makeReadModels(store, url);
    await new SnapshotFollower({ store, snapshots: new PostgresSnapshots(pool), everyEvents: 1 }).advance();
    await pool.query('vacuum analyze');
    await pool.query('checkpoint');
    const journal = new ThreadedJournal(store, { databaseUrl: url, eventStoreUrl: undefined }, JOURNAL_WORKER);
    return await secondsOf({ store, journal, periodWorker: PERIOD_WORKER, pool, connectionString: url });
  } finally {
    await store.close();
    await pool.end();
  }
}

async function makeReadModels(store: PostgresEventStore, url: string): Promise<void> {
  const runner = new ProjectionRunner({ store, connectionString: url, models: readModels });
  const names = readModels.map(({ name }) => name);
  try {
    await runner.start();
    const { projected } = await runner.waitFor(names, await lastRevision(store), READ_MODELS_MS_MAX);
    if (!projected) throw new Error('the read models have not come to the end of the journal');
  } finally {
    await runner.stop();
  }
}

const lastRevision = async (store: PostgresEventStore): Promise<number> =>
  (await store.head(LEDGER_STREAM))?.revision ?? -1;

async function secondsOf(options: VerifyOptions & { readonly store: PostgresEventStore }): Promise<Figure[]> {
  const events = (await lastRevision(options.store)) + 1;
  const findings = soundFindings(options);
  const all = async (): Promise<void> => {
    while (!(await findings.next()).done);
  };
  const [journal] = await timed(() => findings.next());
  const [rest] = await timed(all);
  const group = `verify of ${events.toLocaleString('en')} events`;
  return [
    { group, name: 'the journal, its seals and the snapshot', value: journal, unit: 's' },
    { group, name: 'statements and every read model computed anew', value: rest, unit: 's' },
    { group, name: 'all of it', value: events / (journal + rest), unit: 'events/s' },
  ];
}
