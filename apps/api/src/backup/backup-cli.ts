import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openPool } from '@app/event-store';
import { openDatabase } from '../finance/installation.js';
import { type BackupsConfig, readSettings } from '../platform/config.js';
import { inTurn } from '../platform/database/sole-owner.js';
import { Explained, reasonOf } from '../platform/errors/explained.js';
import { SCHEMA } from '../schema.js';
import type { BackupPlace } from './backup-place.js';
import { BACKUP_LOCK, backupsIn, makeBackup } from './make-backup.js';
import { restoreBackup } from './restore-backup.js';
import { placeOf } from './place-of.js';

const USAGE = `usage: npm run -s backup [-- COMMAND]

  make             a backup of the installation to BACKUP_FOLDER or BACKUP_BUCKET, beside the servers that run (the default)
  list             the backups that are there
  restore [NAME]   a backup, the newest without a name, into an installation that has nothing yet, and verify it`;

const say = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
};

function requirePlace(backups: BackupsConfig): BackupPlace {
  const place = placeOf(backups);
  if (place) return place;
  throw new Explained('Set BACKUP_FOLDER to a folder, or BACKUP_BUCKET to a bucket of the S3_ settings.');
}

async function make(): Promise<void> {
  const { backups, dataDir, eventStoreUrl } = readSettings(process.env);
  const place = requirePlace(backups);
  const database = await openDatabase(say, false);
  const pool = openPool({ connectionString: database.url, max: 1, application_name: 'backup' });
  try {
    const isDone = await inTurn(pool, BACKUP_LOCK, async () => {
      const made = await makeBackup({ databaseUrl: database.url, eventStoreUrl, place, dataDir, ...backups });
      say(
        `The backup ${made.name} is in ${place.name}: ${made.tables.length} tables, ${made.files.length} files, ${made.secrets.length} secrets.`,
      );
    });
    if (!isDone) throw new Explained('Another process makes a backup at this moment.');
    if (eventStoreUrl !== undefined) say('The journal is not in it: back up the event store after it, in its own way.');
    if (!backups.withSecrets) {
      say('Keep the folders secrets/ and journal/ of the data folder elsewhere, once, or set BACKUP_WHOLE=true.');
    }
  } finally {
    await pool.end();
    await database.stop();
  }
}

async function list(): Promise<void> {
  const place = requirePlace(readSettings(process.env).backups);
  for (const name of await backupsIn(place)) process.stdout.write(`${name}\n`);
}

async function restore(asked: string | undefined): Promise<void> {
  const { backups, dataDir, databaseUrl, databaseOwnerUrl, eventStoreUrl } = readSettings(process.env);
  const place = requirePlace(backups);
  const names = await backupsIn(place);
  const name = asked ?? names.at(-1);
  if (name === undefined) throw new Explained(`There is no backup in ${place.name}.`);
  if (!names.includes(name)) throw new Explained(`There is no backup ${name} in ${place.name}.`);
  const database = await openDatabase(say, true);
  const verifying = ['verify', '--catch-up'];
  try {
    const { hasJournal, journalEnd } = await restoreBackup({
      place,
      name,
      databaseUrl: database.url,
      databaseOwnerUrl: databaseUrl && databaseOwnerUrl,
      dataDir,
      schema: SCHEMA,
      log: say,
    });
    say(`The backup ${name} is restored.`);
    if (journalEnd) verifying.push('--anchor', `${journalEnd.revision}:${journalEnd.hash}`);
    if (!hasJournal) {
      const then = `Then: npm run -s ledger -- ${verifying.join(' ')}`;
      if (!eventStoreUrl) {
        say(`The journal is not in it. Restore the event store as well, and set EVENTSTORE_URL. ${then}`);
        return;
      }
      say(`The journal is not in it: the event store's is verified. If it is not restored yet, restore it. ${then}`);
    }
  } finally {
    await database.stop();
  }
  await runFinance(verifying);
}

/** The finance command, which reads the environment as this one does. */
async function runFinance(args: readonly string[]): Promise<void> {
  const program = fileURLToPath(new URL('../finance/cli.js', import.meta.url));
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}

const [command = 'make', name, ...rest] = process.argv.slice(2);
const COMMANDS: Readonly<Record<string, () => Promise<void>>> = { make, list, restore: () => restore(name) };
const run = COMMANDS[command];
if (!run || rest.length > 0 || (name !== undefined && command !== 'restore')) {
  say(USAGE);
  process.exitCode = 2;
} else {
  await run().catch((error: unknown) => {
    if (!(error instanceof Explained)) throw error;
    say(reasonOf(error));
    process.exitCode = 1;
  });
}
