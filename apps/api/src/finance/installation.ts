import { openEventStore, type EventStore } from '@app/event-store';
import { type JournalSource, ThreadedJournal } from '@app/ledger';
import pg from 'pg';
import { readSettings } from '../platform/config.js';
import { migrate } from '../platform/database/data-source.js';
import { ensurePostgres } from '../platform/embedded-postgres.js';
import { SCHEMA } from '../schema.js';

/** The parts of an installation that finance reads: of a running one, or of one that is started for the moment. */
export interface Installation {
  readonly store: EventStore;
  /** The ledger's stream, checked. */
  readonly journal: JournalSource;
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/**
 * Opens the installation that the environment describes, as the API would (`config.ts`).
 * @param journalWorker the compiled thread that reads a long journal
 */
export async function openInstallation(log: (sentence: string) => void, journalWorker: URL): Promise<Installation> {
  const settings = readSettings(process.env);
  const postgres = settings.databaseUrl ? undefined : await ensurePostgres({ dataDir: settings.dataDir, log });
  const databaseUrl = settings.databaseUrl ?? postgres?.url ?? '';
  const open: (() => Promise<unknown>)[] = postgres ? [() => postgres.stop()] : [];
  const close = async (): Promise<void> => {
    for (const part of open.toReversed()) await part();
  };
  try {
    await migrate(databaseUrl, SCHEMA, log);
    const { eventStoreUrl } = settings;
    const store = await openEventStore({ databaseUrl, eventStoreUrl });
    open.push(() => store.close());
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 4, application_name: 'finance' });
    open.push(() => pool.end());
    const journal = new ThreadedJournal(store, { databaseUrl, eventStoreUrl }, journalWorker);
    return { store, journal, pool, databaseUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}
