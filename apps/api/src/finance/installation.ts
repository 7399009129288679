import { type EventStore, openPool } from '@app/event-store';
import { type EnvelopeVersion, type JournalSource, SignedStore, ThreadedJournal } from '@app/ledger';
import type pg from 'pg';
import { readSettings } from '../platform/config.js';
import { migrate, openDataSource, poolOf } from '../platform/database/data-source.js';
import { hasDatabase } from '../platform/embedded-postgres-location.js';
import { ensurePostgres } from '../platform/embedded-postgres.js';
import { Explained } from '../platform/errors/explained.js';
import { openStore } from '../platform/journal/open-store.js';
import type { JournalKeys } from '../platform/ledger/journal-keys.js';
import { SCHEMA } from '../schema.js';

/** The database of an installation: its own, which is started for the moment where it does not run, or a given one. */
export interface Database {
  readonly url: string;
  /** Ends what was started, unless others use it. */
  stop(): Promise<void>;
}

/**
 * The database that the environment describes, as the API would have it (`config.ts`).
 * @param mayMake whether an installation is made where there is none, in which all would be well
 * @throws Explained there is none, or it cannot be opened
 */
export async function openDatabase(log: (sentence: string) => void, mayMake: boolean): Promise<Database> {
  const { databaseUrl, dataDir } = readSettings(process.env);
  if (databaseUrl) {
    if (!mayMake) await requireInstallation(databaseUrl);
    return { url: databaseUrl, stop: () => Promise.resolve() };
  }
  if (!mayMake && !hasDatabase(dataDir)) {
    throw new Explained(
      `There is no installation in ${dataDir}. NOVA_DATA_DIR names its folder, or DATABASE_URL its database.`,
    );
  }
  return await ensurePostgres({ dataDir, log });
}

/** A database with other tables than ours must not get ours for a slip in its address. */
async function requireInstallation(databaseUrl: string): Promise<void> {
  const dataSource = await openDataSource(databaseUrl, SCHEMA);
  try {
    const { rows } = await poolOf(dataSource).query<{ found: boolean }>(
      `select to_regclass('public.accounts') is not null as found`,
    );
    if (!rows[0]?.found) throw new Explained('The database that DATABASE_URL names has no installation of Nova.');
  } finally {
    await dataSource.destroy();
  }
}

/** The parts of an installation that finance reads. */
export interface Installation {
  /** All that is stored. */
  readonly store: EventStore;
  /** As far as it is signed, where the installation knows by whom; what is written to it is signed. */
  readonly signedStore: EventStore;
  /** The ledger's stream, checked. */
  readonly journal: JournalSource;
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  readonly journalEnvelope: EnvelopeVersion | undefined;
  readonly keys: JournalKeys;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly log: (sentence: string) => void;
  /** The compiled thread that reads a long journal. */
  readonly journalWorker: URL;
  /** Where the journal is, unless in Postgres. */
  readonly eventStoreUrl: string | undefined;
  readonly journalEnvelope: EnvelopeVersion | undefined;
  readonly keys: JournalKeys;
  /** Whether each signature is checked when the journal is read. */
  readonly everySignature: boolean;
}

export async function openInstallation(
  { url: databaseUrl }: Database,
  { log, journalWorker, eventStoreUrl, journalEnvelope, keys, everySignature }: OpenOptions,
): Promise<Installation> {
  await migrate(databaseUrl, SCHEMA, log);
  const store = await openStore({ databaseUrl, eventStoreUrl });
  const pool = openPool({ connectionString: databaseUrl, max: 4, application_name: 'finance' });
  const trust = keys.trust();
  const signedStore = trust ? new SignedStore(store, { trust, signerFor: keys.signerFor }) : store;
  const close = async (): Promise<void> => {
    await pool.end();
    await store.close();
  };
  return {
    store,
    signedStore,
    /** A command may add to whom is trusted. */
    get journal() {
      const options = { trust: keys.trust(), isEverySignature: everySignature };
      return new ThreadedJournal(store, { databaseUrl, eventStoreUrl }, journalWorker, options);
    },
    pool,
    databaseUrl,
    journalEnvelope,
    keys,
    close,
  };
}
