import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { LEDGER_STREAM } from '@app/domain';
import { openPool } from '@app/event-store';
import { headAt } from '@app/ledger';
import { errorCode } from '../platform/errors/error-code.js';
import { openStore } from '../platform/journal/open-store.js';
import type { BackupPlace } from './backup-place.js';
import { dumpedTables, dumpTable, sequences } from './dump.js';
import { type KeepingRule, superfluous } from './keeping.js';
import {
  type BackedUpFile,
  contentKey,
  type Manifest,
  manifestKey,
  nameAt,
  newManifest,
  readManifest,
  secretKey,
  tableKey,
  timeOf,
} from './manifest.js';

/** Advisory lock of whoever makes backups: any number that is the same in every process. */
export const BACKUP_LOCK = 7_266_182_023;
/** Folders of the data folder. Where members' files are in a bucket there is no first one. */
const FILES = 'uploads';
/** Says whose signatures hold: no secret, and without it a restored journal is one that nobody signed. */
const TRUST = 'journal/trust.json';
const SECRETS = ['secrets', 'journal'] as const;
/** What is not to be carried elsewhere: uploads that are under way, and how far this very installation saw the journal. */
const LEFT_OUT = /^(?:uploads\/tmp\/|journal\/seen-head$)/;

export interface BackupParts {
  readonly databaseUrl: string;
  readonly place: BackupPlace;
  readonly dataDir: string;
  /** Where the events are, if they are not among the tables. */
  readonly eventStoreUrl: string | undefined;
  readonly withSecrets: boolean;
  readonly keep: KeepingRule;
  readonly at?: Date;
}

/**
 * Makes a backup: the database as it is at one moment, members' files, and secrets if they are asked for. Then it removes
 * what the rule keeps no longer. Servers go on meanwhile; one process makes backups at a time (`BACKUP_LOCK`).
 * @throws Error the place or the database cannot be used; what was written so far is no backup
 */
export async function makeBackup(parts: BackupParts): Promise<Manifest> {
  const { databaseUrl, eventStoreUrl, place, dataDir, withSecrets, keep, at = new Date() } = parts;
  const name = nameAt(at);
  const journal = eventStoreUrl === undefined ? { hasJournal: true } : await lookAtJournal(databaseUrl, eventStoreUrl);
  const database = await dumpDatabase(databaseUrl, place, name);
  const files = await putFiles(place, dataDir);
  const secrets = withSecrets ? await putSecrets(place, dataDir, name) : [];
  const manifest = newManifest({ name, at: at.toISOString(), ...journal, ...database, files, secrets });
  await place.put(manifestKey(name), Readable.from([Buffer.from(JSON.stringify(manifest))]));
  await removeSuperfluous(place, keep);
  return manifest;
}

/** The names of all backups that are whole, the oldest first. */
export async function backupsIn(place: BackupPlace): Promise<string[]> {
  const names: string[] = [];
  for await (const key of place.list('nova-')) {
    const [name = '', ...rest] = key.split('/');
    if (rest.join('/') === 'manifest.json' && timeOf(name)) names.push(name);
  }
  return names.toSorted();
}

export async function manifestOf(place: BackupPlace, name: string): Promise<Manifest> {
  return readManifest(await text(await place.read(manifestKey(name))));
}

async function lookAtJournal(
  databaseUrl: string,
  eventStoreUrl: string,
): Promise<Pick<Manifest, 'hasJournal' | 'journalEnd'>> {
  const store = await openStore({ databaseUrl, eventStoreUrl });
  try {
    const last = await store.head(LEDGER_STREAM);
    return { hasJournal: false, ...(last && { journalEnd: await headAt(store, last.revision) }) };
  } finally {
    await store.close();
  }
}

async function dumpDatabase(
  databaseUrl: string,
  place: BackupPlace,
  name: string,
): Promise<Pick<Manifest, 'migrations' | 'tables' | 'sequences'>> {
  // A table of 100 GB takes hours, and the patience of the servers' pool is for pages.
  const pool = openPool({ connectionString: databaseUrl, max: 1, application_name: 'backup' });
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ name: string }>('select name from migrations order by id');
    const tables: Manifest['tables'] = [];
    for (const table of await dumpedTables(client)) {
      tables.push(await dumpTable(client, table, (content) => place.put(tableKey(name, table), content)));
    }
    const found = { migrations: rows.map((row) => row.name), tables, sequences: await sequences(client) };
    await client.query('commit');
    return found;
  } finally {
    // In the middle of a COPY nothing else can be asked on it.
    client.release(true);
    await pool.end();
  }
}

/** Files never change under their names. What the newest backup has already is not read again. */
async function putFiles(place: BackupPlace, dataDir: string): Promise<BackedUpFile[]> {
  const newest = (await backupsIn(place)).at(-1);
  const known = new Map(newest ? (await manifestOf(place, newest)).files.map((file) => [file.path, file]) : []);
  const stored = new Set<string>();
  for await (const key of place.list(contentKey(''))) stored.add(key);
  const files: BackedUpFile[] = [];
  for await (const { relative, bytes } of filesToKeep(dataDir)) {
    const before = relative === TRUST ? undefined : known.get(relative);
    const from = path.join(dataDir, relative);
    const sha256 = before?.bytes === bytes ? before.sha256 : await hashOf(from);
    // Its member took it away meanwhile.
    if (sha256 === undefined) continue;
    if (!stored.has(contentKey(sha256))) await place.put(contentKey(sha256), createReadStream(from));
    stored.add(contentKey(sha256));
    files.push({ path: relative, bytes, sha256 });
  }
  return files;
}

async function putSecrets(place: BackupPlace, dataDir: string, name: string): Promise<BackedUpFile[]> {
  const secrets: BackedUpFile[] = [];
  for (const folder of SECRETS) {
    for await (const { relative, bytes } of filesBelow(dataDir, folder)) {
      const from = path.join(dataDir, relative);
      const sha256 = await hashOf(from);
      if (sha256 === undefined || relative === TRUST) continue;
      await place.put(secretKey(name, relative), createReadStream(from));
      secrets.push({ path: relative, bytes, sha256 });
    }
  }
  return secrets;
}

async function* filesToKeep(dataDir: string): AsyncIterable<{ relative: string; bytes: number }> {
  yield* filesBelow(dataDir, FILES);
  for await (const file of filesBelow(dataDir, path.dirname(TRUST))) if (file.relative === TRUST) yield file;
}

async function* filesBelow(dataDir: string, folder: string): AsyncIterable<{ relative: string; bytes: number }> {
  const entries = await readdir(path.join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(absent);
  for (const entry of entries ?? []) {
    const file = path.join(entry.parentPath, entry.name);
    const relative = path.relative(dataDir, file).split(path.sep).join('/');
    if (!entry.isFile() || LEFT_OUT.test(relative)) continue;
    const found = await stat(file).catch(absent);
    if (found) yield { relative, bytes: found.size };
  }
}

async function hashOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    return absent(error);
  }
  return hash.digest('hex');
}

/** A backup's list of contents goes first: what is half removed is no backup. So are those that were never finished. */
async function removeSuperfluous(place: BackupPlace, keep: KeepingRule): Promise<void> {
  const whole = await backupsIn(place);
  const gone = new Set(superfluous(whole, keep));
  for (const name of gone) await place.remove(manifestKey(name));
  const kept = whole.filter((name) => !gone.has(name));
  for await (const key of place.list('nova-')) if (!kept.includes(key.split('/')[0] ?? '')) await place.remove(key);
  const needed = new Set<string>();
  for (const name of kept) {
    for (const { sha256 } of (await manifestOf(place, name)).files) needed.add(contentKey(sha256));
  }
  for await (const key of place.list(contentKey(''))) if (!needed.has(key)) await place.remove(key);
}

function absent(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}
