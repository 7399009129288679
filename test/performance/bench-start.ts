import { LEDGER_STREAM } from '@app/domain';
import { type EventStore, PostgresEventStore } from '@app/event-store';
import {
  LedgerWriter,
  PostgresSnapshots,
  SnapshotFollower,
  snapshotMigrations,
  systemClock,
  ThreadedJournal,
  type JournalSource,
} from '@app/ledger';
import { projectionMigrations, ProjectionRunner, readModels } from '@app/projections';
import pg from 'pg';
import { periodsMigrations } from '../../apps/api/src/finance/periods/migrations.js';
import type { VerifyOptions } from '../../apps/api/src/finance/verify.js';
import { closeBooks } from './closed-books.js';
import { fill, timed, type History, type Log } from './history.js';
import type { Figure } from './report.js';
import { soundFindings } from './sound-findings.js';
import type { Surroundings } from './surroundings.js';

/** A history, and the targets for a start with it, in seconds. */
interface StartedHistory extends History {
  readonly name: string;
  readonly goals?: { readonly fromZero: number; readonly fromSnapshot: number };
  /** Read models that are rebuilt from it, those with the most rows, and the targets, in events a second. */
  readonly rebuilt?: Readonly<Record<string, number>>;
}

const SHORT: StartedHistory = { name: '300k events', accounts: 10_000, events: 300_000 };
const LONG: StartedHistory = {
  name: '10M events, 1M accounts',
  accounts: 1_000_000,
  events: 10_000_000,
  goals: { fromZero: 30, fromSnapshot: 3 },
  rebuilt: { statements: 60_000, ledger_entries: 50_000 },
};
const JOURNAL_WORKER = new URL('../../apps/api/src/platform/ledger/journal-worker.js', import.meta.url);
const PERIOD_WORKER = new URL('../../apps/api/src/finance/periods/period-audit-worker.js', import.meta.url);
const VERIFY_SECONDS_MAX = 90;
const REBUILD_MS_MAX = 30 * 60_000;

/** Measures how long a server takes until it accepts commands, with and without a snapshot. */
export const benchStart = (surroundings: Surroundings, log: Log): Promise<Figure[]> =>
  measure(surroundings, SHORT, log);

/** The same with a history of years. */
export const benchScale = (surroundings: Surroundings, log: Log): Promise<Figure[]> => measure(surroundings, LONG, log);

async function measure(surroundings: Surroundings, history: StartedHistory, log: Log): Promise<Figure[]> {
  const url = await surroundings.database();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const store = await PostgresEventStore.open({ connectionString: url });
  try {
    for (const { sql } of snapshotMigrations) await pool.query(sql);
    await fill(store, history, log);
    // On a running server, autovacuum does this; a start is never the first to read a history of years.
    await pool.query('vacuum analyze journal.events');
    await pool.query('checkpoint');
    const journal = new ThreadedJournal(store, { databaseUrl: url, eventStoreUrl: undefined }, JOURNAL_WORKER);
    const figures = await startsOf(store, journal, new PostgresSnapshots(pool), history);
    if (!history.rebuilt) return figures;
    for (const { sql } of [...projectionMigrations, ...periodsMigrations]) await pool.query(sql);
    log('  the period is closed');
    await closeBooks(store, pool);
    for (const [name, goal] of Object.entries(history.rebuilt)) {
      figures.push(await rebuildOf(name, { store, url, history, log, goal }));
    }
    // A rebuild is followed by autovacuum, which would take its share of the cores.
    await pool.query('vacuum analyze');
    await pool.query('checkpoint');
    log('  all is verified');
    const verified = await verifyOf(history, {
      store,
      journal,
      periodWorker: PERIOD_WORKER,
      pool,
      connectionString: url,
    });
    return [...figures, ...verified];
  } finally {
    await store.close();
    await pool.end();
  }
}

async function startsOf(
  store: EventStore,
  journal: JournalSource,
  snapshots: PostgresSnapshots,
  { name, goals }: StartedHistory,
): Promise<Figure[]> {
  const keyIndex = { find: () => Promise.resolve({ through: -1, found: new Map() }) };
  const started = async (): Promise<LedgerWriter> => {
    const fresh = new LedgerWriter({ store, journal, clock: systemClock, keyIndex, snapshots });
    await fresh.start();
    await fresh.stop();
    return fresh;
  };
  const [fromZero, { revision }] = await timed(started);
  const follower = new SnapshotFollower({ store, snapshots, everyEvents: 1 });
  const [written] = await timed(() => follower.advance());
  const [fromSnapshot] = await timed(started);
  const figure = (what: string, value: number, unit: string, goal?: number): Figure => ({
    group: `start with ${name}`,
    name: what,
    value,
    unit,
    ...(goal === undefined ? {} : { goal: { at: '<=', value: goal } }),
  });
  return [
    figure('without a snapshot', fromZero, 's', goals?.fromZero),
    figure('with a snapshot', fromSnapshot, 's', goals?.fromSnapshot),
    figure('reading the journal, hash chain checked', (revision + 1) / fromZero, 'events/s'),
    figure('the follower: journal read, snapshot written', written, 's'),
  ];
}

/** A starting server makes a missing read model from the whole history. */
async function rebuildOf(
  name: string,
  given: {
    readonly store: EventStore;
    readonly url: string;
    readonly history: StartedHistory;
    readonly log: Log;
    readonly goal: number;
  },
): Promise<Figure> {
  const { store, url, history, log, goal } = given;
  log(`  ${name} is made`);
  const revision = (await store.head(LEDGER_STREAM))?.revision ?? -1;
  const models = readModels.filter((model) => model.name === name);
  const runner = new ProjectionRunner({ store, connectionString: url, models });
  try {
    const [seconds, { projected }] = await timed(async () => {
      await runner.start();
      return runner.waitFor([name], revision, REBUILD_MS_MAX);
    });
    if (!projected) throw new Error(`${name} has not come to the end of the journal`);
    const value = (revision + 1) / seconds;
    const group = `rebuild with ${history.name}`;
    return { group, name, value, unit: 'events/s', goal: { at: '>=', value: goal } };
  } finally {
    await runner.stop();
  }
}

/**
 * What `npm run ledger -- verify` does before it computes read models anew: the hash chain, every event, the seals and
 * the snapshot, which are read together, and then every member's statement. It waits ten seconds in vain for the read
 * models that do not exist.
 */
async function verifyOf({ name }: StartedHistory, options: VerifyOptions): Promise<Figure[]> {
  const findings = soundFindings(options);
  const throughStatements = async (): Promise<void> => {
    for await (const { what } of findings) if (what === 'Statements') return;
  };
  const [journal] = await timed(() => findings.next());
  const [statements] = await timed(throughStatements);
  const goal = { at: '<=', value: VERIFY_SECONDS_MAX } as const;
  const group = `verify with ${name}`;
  return [
    { group, name: 'all invariants, every event sealed', value: journal, unit: 's', goal },
    { group, name: 'then the statements', value: statements, unit: 's' },
  ];
}
