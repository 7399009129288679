import { openEventStore, type EventStore } from '@app/event-store';
import { type JournalSource, ThreadedJournal } from '@app/ledger';
import pg from 'pg';
import { readSettings } from '../platform/config.js';
import { migrate } from '../platform/database/data-source.js';
import { ensurePostgres } from '../platform/embedded-postgres.js';
import { SCHEMA } from '../schema.js';

/** The database of an installation: its own, which is started for the moment where it does not run, or a given one. */
export interface Database {
  readonly url: string;
  /** Ends what was started, unless others use it. */
  stop(): Promise<void>;
}

/** The database that the environment describes, as the API would have it (`config.ts`). */
export async function openDatabase(log: (sentence: string) => void): Promise<Database> {
  const { databaseUrl, dataDir } = readSettings(process.env);
  return databaseUrl ? { url: databaseUrl, stop: () => Promise.resolve() } : await ensurePostgres({ dataDir, log });
}

/** The parts of an installation that finance reads. */
export interface Installation {
  readonly store: EventStore;
  /** The ledger's stream, checked. */
  readonly journal: JournalSource;
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** @param journalWorker the compiled thread that reads a long journal */
export async function openInstallation(
  { url: databaseUrl }: Database,
  log: (sentence: string) => void,
  journalWorker: URL,
): Promise<Installation> {
  await migrate(databaseUrl, SCHEMA, log);
  const { eventStoreUrl } = readSettings(process.env);
  const store = await openEventStore({ databaseUrl, eventStoreUrl });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4, application_name: 'finance' });
  const journal = new ThreadedJournal(store, { databaseUrl, eventStoreUrl }, journalWorker);
  const close = async (): Promise<void> => {
    await pool.end();
    await store.close();
  };
  return { store, journal, pool, databaseUrl, close };
}
