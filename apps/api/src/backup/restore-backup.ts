import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { openPool } from '@app/event-store';
import type pg from 'pg';
import { prepareFromTerminal } from '../finance/journal-owner.js';
import { migrate, type Schema } from '../platform/database/data-source.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { migrationName } from '../platform/database/migrations.js';
import { errorCode } from '../platform/errors/error-code.js';
import { Explained, reasonOf } from '../platform/errors/explained.js';
import { openStore } from '../platform/journal/open-store.js';
import type { BackupPlace } from './backup-place.js';
import { emptyTables, dumpedTables, Measured, restoreTable } from './dump.js';
import { type BackedUpFile, contentKey, type Manifest, secretKey, tableKey } from './manifest.js';
import { manifestOf } from './make-backup.js';

const MISSING_RIGHT = '42501';

export interface RestoreParts {
  readonly place: BackupPlace;
  readonly name: string;
  /** An empty database, as servers have it. */
  readonly databaseUrl: string;
  /** The same with the role that is to own the journal; undefined: that of `databaseUrl`. */
  readonly databaseOwnerUrl?: string | undefined;
  readonly dataDir: string;
  readonly schema: Schema;
  readonly log: (sentence: string) => void;
}

/**
 * Puts a backup into an installation that has nothing yet: secrets and files first, then the database in one transaction, as
 * it was in the release that made the backup, and last the steps to this release. Read models are made by the first server.
 * @throws Explained something is there already; the backup is damaged, or of a newer release. The database stays empty
 */
export async function restoreBackup(parts: RestoreParts): Promise<Manifest> {
  const { place, name, databaseUrl, databaseOwnerUrl, schema, log } = parts;
  const manifest = await manifestOf(place, name);
  const then = schemaOf(manifest, schema);
  // The owner of the journal may write what servers may as well.
  const pool = openPool({
    connectionString: databaseOwnerUrl ?? databaseUrl,
    max: 1,
    application_name: 'restore',
  });
  try {
    await requireEmpty(pool);
    await putFiles(parts, manifest.secrets, (file) => secretKey(name, file.path));
    await putFiles(parts, manifest.files, (file) => contentKey(file.sha256));
    log(`${manifest.files.length} files of members are there.`);
    await migrate(databaseUrl, then);
    if (manifest.hasJournal) await makeJournal(parts);
    await inTransaction(pool, (client) => restoreTables(client, place, manifest)).catch(explained);
  } finally {
    await pool.end();
  }
  await migrate(databaseUrl, schema, log);
  return manifest;
}

/** Where the journal is in an event store, there is none here. */
async function makeJournal({ databaseUrl, databaseOwnerUrl, log }: RestoreParts): Promise<void> {
  const settings = { databaseUrl, databaseOwnerUrl, eventStoreUrl: undefined };
  if (databaseOwnerUrl !== undefined) log(await prepareFromTerminal(settings));
  const store = await openStore(settings);
  await store.close();
}

/** The schema as it was when the backup was made. @throws Explained it has steps that this release does not know */
function schemaOf({ migrations }: Manifest, schema: Schema): Schema {
  const done = new Set(migrations);
  const areas = schema.areas.map((area) => ({
    ...area,
    migrations: area.migrations.filter((step, index) => done.delete(migrationName(area, step.name, index))),
  }));
  if (done.size > 0) {
    throw new Explained(
      `The backup is of a newer release: its database has ${done.size} steps that this one does not know. Restore it with the newer release.`,
    );
  }
  return { ...schema, areas };
}

async function requireEmpty(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ found: string | null }>(
    `select coalesce(to_regclass('journal.events'), to_regclass('public.accounts'))::text as found`,
  );
  const found = rows[0]?.found ?? null;
  if (found === null) return;
  const { rowCount } = await pool.query(`select from ${found} limit 1`);
  if (rowCount === 0) return;
  throw new Explained(
    'There is an installation here already, and a restore never writes over one. Name an empty folder by NOVA_DATA_DIR, or an empty database by DATABASE_URL.',
  );
}

async function restoreTables(client: pg.PoolClient, place: BackupPlace, manifest: Manifest): Promise<void> {
  const here = await dumpedTables(client);
  const nameOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string => `${schema}.${name}`;
  const backedUp = new Map(manifest.tables.map((table) => [nameOf(table), table]));
  const missing = here.find((table) => !backedUp.has(nameOf(table)));
  if (missing || here.length < backedUp.size) {
    throw new Explained('The backup has other tables than the release that made it. Take another backup.');
  }
  // Some steps of the schema write a first row.
  await emptyTables(client, here);
  for (const table of here) {
    const { columns } = table;
    const from = backedUp.get(nameOf(table));
    if (!from || from.columns.toSorted().join() !== columns.toSorted().join()) {
      throw new Explained(`The backup has other columns in ${nameOf(table)} than the release that made it.`);
    }
    await restoreTable(client, from, await place.read(tableKey(manifest.name, table)));
  }
  for (const { schema, name, last } of manifest.sequences) {
    await client.query('select setval(format($$%I.%I$$, $1::text, $2::text)::regclass, $3)', [schema, name, last]);
  }
}

function explained(cause: unknown): never {
  if (errorCode(cause) !== MISSING_RIGHT) throw cause;
  throw new Explained(
    `The role of DATABASE_URL may not write to all tables: ${reasonOf(cause)}. Where the journal has its own owner, set DATABASE_OWNER_URL for this restore.`,
    { cause },
  );
}

/** Files that are there already stay, if they are the same. */
async function putFiles(
  { place, dataDir }: RestoreParts,
  files: readonly BackedUpFile[],
  keyOf: (file: BackedUpFile) => string,
): Promise<void> {
  for (const file of files) {
    const target = path.join(dataDir, file.path);
    const there = await hashOf(target);
    if (there === file.sha256) continue;
    if (there !== undefined) {
      throw new Explained(`There is another ${target} already, and a restore never writes over what is there.`);
    }
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    const measured = new Measured();
    const draft = `${target}.part`;
    await pipeline(await place.read(keyOf(file)), measured, createWriteStream(draft, { mode: 0o600, flush: true }));
    if (measured.sha256 !== file.sha256) {
      throw new Explained(`The backup is damaged: ${file.path} is not as it was written. Take another one.`);
    }
    await rename(draft, target);
  }
}

async function hashOf(file: string): Promise<string | undefined> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
