import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, DatabaseError } from 'pg';
import { giveTo, locatePostgres, type PostgresLocation, programEnvironment } from './embedded-postgres-location.js';
import { prepareProductDatabase, PRODUCT_ROLE, productPassword } from './embedded-postgres-role.js';
import { Explained, reasonOf } from './errors/explained.js';

const execute = promisify(execFile);

/** Makes and keeps the cluster, and looks after the product's own role (`embedded-postgres-role.ts`). */
const SUPERUSER = 'postgres';
const MAINTENANCE_DATABASE = 'postgres';
/** Below the ports that operating systems hand out by themselves, so that a kept port is rarely found taken. */
const PORT_FIRST = 20_000;
const PORT_LAST = 29_999;
const PORT_CHOICES_MAX = 50;
const PORT_PATIENCE_MS = 2_000;
/** While clients are connected by it, moving to another port would cost this process its life. */
const PORT_PATIENCE_IN_USE_MS = 20_000;
/** Recovery after a crash replays up to `max_wal_size` of journal, which may take minutes on a slow disk. */
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 60_000;
const START_FAILURES_MAX = 20;
const RESTARTS_MAX = 5;
const RESTART_WINDOW_MS = 60_000;
const LOG_FILE_BYTES_MAX = 10_000_000;
/** Any constant: everyone who uses the server holds this lock shared, so the last one out can tell that it is the last. */
const USERS_LOCK = 719_203_441;

export interface EmbeddedPostgresOptions {
  /** The installation's folder (`NOVA_DATA_DIR`); made when absent. */
  readonly dataDir: string;
  /** Receives one sentence for every slow or unusual step. */
  readonly log: (sentence: string) => void;
  /** Name of the database in the answer's URL, made when absent. Default `nova`. */
  readonly database?: string;
  /** `none` (for throw-away test data only) neither waits for the disk nor survives a crash of the machine. */
  readonly durability?: 'full' | 'none';
  /**
   * Called when a server that died could not be brought back. Default: the reason is logged and this process is asked
   * to end (SIGTERM), since it can do nothing right without its database.
   */
  readonly onLost?: (reason: Error) => void;
}

export interface EmbeddedPostgres {
  /** Connection string of the product's role, which owns its database and has no right beyond that. */
  readonly url: string;
  /** The same for the superuser: for programs that back up and restore, never for the product. */
  readonly superuserUrl: string;
  /** True when the server was running already, left by a process that was killed or shared with one that lives. */
  readonly adopted: boolean;
  /** Ends the server (fast shutdown, data safe on disk) unless another process of this installation still uses it. */
  stop(): Promise<void>;
}

interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

interface Session {
  readonly client: Client;
  readonly port: number;
  readonly adopted: boolean;
}

/**
 * Makes sure that the installation's own Postgres runs, and answers how to reach it.
 *
 * It makes the cluster on first use (in a temporary folder that is renamed when complete, so a crash leaves nothing
 * half made), adopts a server that a killed process left behind, waits for one that is recovering, removes what a
 * crash of the machine left (a stale `postmaster.pid`), and starts it again when it dies while in use. Two processes
 * may call it at once: both get the same server. Data is durable: `fsync` is on, and a new cluster is synced to disk
 * before it is used, because initdb's pages are not written again by the first checkpoint and a power cut a moment
 * after the first answered payment would otherwise lose the catalog under it.
 *
 * @throws Explained Postgres cannot run here
 */
export async function ensurePostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const server = new EmbeddedServer(options, await locatePostgres(path.resolve(options.dataDir), options.log));
    return await server.open();
  } catch (cause) {
    throw new Explained(reasonOf(cause), { cause });
  }
}

/**
 * Ends a server that nobody uses any more, for a launcher whose API was killed. Answers false when there is none or
 * when another process of the installation still uses it.
 */
export async function stopUnusedPostgres(options: EmbeddedPostgresOptions): Promise<boolean> {
  const location = await locatePostgres(path.resolve(options.dataDir), options.log);
  return new EmbeddedServer(options, location).stopIfUnused();
}

class EmbeddedServer {
  readonly #options: EmbeddedPostgresOptions;
  readonly #location: PostgresLocation;
  #password = '';
  #keeper: Client | undefined;
  #port = 0;
  #stopping = false;
  #stopped: Promise<void> | undefined;
  #restarts: number[] = [];
  #recovery: Promise<void> = Promise.resolve();

  constructor(options: EmbeddedPostgresOptions, location: PostgresLocation) {
    this.#options = options;
    this.#location = location;
  }

  async open(): Promise<EmbeddedPostgres> {
    this.#password = await this.#readOrMakePassword();
    await this.#initialise();
    const session = await this.#startOrAdopt();
    await this.#keep(session);
    const database = this.#options.database ?? 'nova';
    const password = productPassword(this.#password);
    try {
      await prepareProductDatabase({
        superuser: session.client,
        database,
        password,
        connect: () => this.#connectTo(database, session.port),
        log: this.#options.log,
      });
    } catch (error) {
      await this.#stop();
      throw error;
    }
    const address = `127.0.0.1:${session.port}/${database}`;
    return {
      url: `postgres://${PRODUCT_ROLE}:${password}@${address}`,
      superuserUrl: `postgres://${SUPERUSER}:${this.#password}@${address}`,
      adopted: session.adopted,
      stop: () => (this.#stopped ??= this.#stop()),
    };
  }

  async stopIfUnused(): Promise<boolean> {
    const server = await this.#livePostmaster();
    if (!server) return false;
    this.#password ||= await this.#readOrMakePassword();
    this.#stopping = true;
    const session = await this.#connect(server.port);
    if (session) return this.#shutDownIfUnused(session);
    // It runs but admits nobody: still recovering, or already on its way down. A fast shutdown is right for both.
    await this.#shutDown();
    return true;
  }

  /** The session that is kept open holds the users' lock, and its end tells at once that the server died. */
  async #keep(session: Session): Promise<void> {
    const { client } = session;
    await client.query('select pg_advisory_lock_shared($1)', [USERS_LOCK]);
    this.#keeper = client;
    this.#port = session.port;
    client.once('end', () => {
      if (!this.#stopping) this.#recovery = this.#recover();
    });
  }

  async #recover(): Promise<void> {
    const { log } = this.#options;
    log('The database server ended unexpectedly. Starting it again.');
    try {
      const now = Date.now();
      this.#restarts = [...this.#restarts.filter((at) => now - at < RESTART_WINDOW_MS), now];
      if (this.#restarts.length > RESTARTS_MAX) {
        throw new Error(
          `The database server ended ${this.#restarts.length} times within a minute. ${await this.#logTail()}`,
        );
      }
      const session = await this.#startOrAdopt();
      if (session.port !== this.#port) {
        await session.client.end();
        throw new Error(`Port ${this.#port} of the database was taken by another program. Please start again.`);
      }
      await this.#keep(session);
      log('The database server runs again.');
    } catch (error) {
      if (!this.#stopping) this.#lost(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #lost(reason: Error): void {
    if (this.#options.onLost) {
      this.#options.onLost(reason);
      return;
    }
    this.#options.log(`The database is lost: ${reason.message}`);
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  }

  async #stop(): Promise<void> {
    this.#stopping = true;
    // A restart under way would otherwise bring up a server that nobody ends.
    await this.#recovery;
    // What it was connected to may be gone, and another process have started what runs now.
    await this.#keeper?.end().catch(() => undefined);
    await this.stopIfUnused();
  }

  async #shutDownIfUnused(session: Client): Promise<boolean> {
    try {
      // The sessions of a process that ended a moment ago need an instant to be noticed.
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const { rows } = await session.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
          USERS_LOCK,
        ]);
        if (rows[0]?.last) break;
        if (attempt === 19) {
          await session.end();
          this.#options.log('The database server keeps running: another process of this installation uses it.');
          return false;
        }
        await sleep(100);
      }
    } catch {
      // The server died or is being stopped by someone else; what is left of it is ended below.
    }
    await this.#shutDown();
    await session.end().catch(() => undefined);
    return true;
  }

  async #shutDown(): Promise<void> {
    if (!(await this.#livePostmaster())) return;
    const seconds = String(STOP_TIMEOUT_MS / 1000);
    const fast = await this.#pgCtl(['stop', '-m', 'fast', '-w', '-t', seconds]);
    if (fast.ok || !(await this.#livePostmaster())) return;
    this.#options.log('The database server did not stop in time; ending it at once. The next start recovers.');
    await this.#pgCtl(['stop', '-m', 'immediate', '-w', '-t', seconds]);
  }

  /** Made once, never overwritten: of two processes that start at once, both end with the one that came first. */
  async #readOrMakePassword(): Promise<string> {
    const file = path.join(path.resolve(this.#options.dataDir), 'postgres-password');
    if (!existsSync(file)) {
      if (existsSync(this.#location.cluster)) {
        throw new Error(
          `The database's password file ${file} is missing. Restore it from a backup of the data folder.`,
        );
      }
      const draft = `${file}.${randomBytes(3).toString('hex')}`;
      await writeFile(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
      await link(draft, file).catch((error: unknown) => {
        if (!existsSync(file)) throw error;
      });
      await rm(draft, { force: true });
    }
    return (await readFile(file, 'utf8')).trim();
  }

  async #initialise(): Promise<void> {
    const { cluster, account, programs } = this.#location;
    const versionFile = path.join(cluster, 'PG_VERSION');
    if (existsSync(versionFile)) {
      const version = Number((await readFile(versionFile, 'utf8')).trim());
      if (version === programs.majorVersion) return;
      throw new Error(
        `The database in ${cluster} was made by Postgres ${version}, and this release brings ${programs.majorVersion}. Dump it with the earlier release and restore it with this one (docs/operations.md, Backup and restore).`,
      );
    }
    this.#options.log('Creating the database (once).');
    await removeAbandonedDrafts(cluster);
    const draft = `${cluster}.draft-${process.pid}-${randomBytes(3).toString('hex')}`;
    const passwordFile = `${draft}.password`;
    draftsInUse.add(path.basename(draft));
    try {
      await mkdir(draft, { mode: 0o700 });
      await writeFile(passwordFile, `${this.#password}\n`, { mode: 0o600 });
      await giveTo(account, draft);
      await giveTo(account, passwordFile);
      const made = await this.#run(programs.initdb, [
        `--pgdata=${draft}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Names are searched without regard to case in any script, and sort alike on every system.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...(this.#options.durability === 'none' ? ['--no-sync'] : []),
      ]);
      if (!made.ok) throw new Error(`The database could not be created in ${cluster}: ${made.output}`);
      await rename(draft, cluster).catch((error: unknown) => {
        // Another process was faster; its cluster has the same password.
        if (!existsSync(versionFile)) throw error;
      });
      await syncFolder(path.dirname(cluster));
    } finally {
      await rm(passwordFile, { force: true });
      await rm(draft, { recursive: true, force: true });
      draftsInUse.delete(path.basename(draft));
    }
  }

  async #startOrAdopt(): Promise<Session> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    let started = false;
    let failures = 0;
    let waiting = false;
    while (Date.now() < deadline && !this.#stopping) {
      const server = await this.#livePostmaster();
      if (server) {
        const client = await this.#connect(server.port);
        if (client) return { client, port: server.port, adopted: !started };
        if (!waiting) this.#options.log('Waiting for the database server, which is recovering or ending.');
        waiting = true;
        await sleep(200);
        continue;
      }
      const failure = await this.#start();
      started = failure === undefined;
      if (started) continue;
      failures += 1;
      if (failures >= START_FAILURES_MAX) throw new Error(`The database server does not start. ${failure}`);
      await sleep(500);
    }
    throw new Error(
      `The database server did not become ready within ${START_TIMEOUT_MS / 1000} s. ${await this.#logTail()}`,
    );
  }

  /** Answers undefined when the server runs, else what went wrong. */
  async #start(): Promise<string | undefined> {
    const { logFile, account } = this.#location;
    const port = await this.#readOrChoosePort();
    const size = await stat(logFile).then(
      (found) => found.size,
      () => 0,
    );
    if (size > LOG_FILE_BYTES_MAX) await rename(logFile, `${logFile}.1`);
    await (await open(logFile, 'a', 0o600)).close();
    await giveTo(account, logFile);
    const settings = this.#settings(port).flatMap((setting) => ['-c', setting]);
    const seconds = String(START_TIMEOUT_MS / 1000);
    const result = await this.#pgCtl(['start', '-w', '-t', seconds, '-l', logFile, '-o', settings.join(' ')]);
    return result.ok ? undefined : `${result.output} ${await this.#logTail()}`;
  }

  #settings(port: number): string[] {
    const sharedBuffers = Math.round(Math.min(512, Math.max(128, totalmem() / 2 ** 20 / 16)));
    return [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=200',
      `shared_buffers=${sharedBuffers}MB`,
      'max_wal_size=4GB',
      'min_wal_size=256MB',
      'wal_buffers=16MB',
      // Filling a new segment with zeros holds every commit up for 30 to 80 ms, once a second under load.
      'wal_init_zero=off',
      'checkpoint_timeout=15min',
      'random_page_cost=1.1',
      'jit=off',
      'timezone=UTC',
      'log_timezone=UTC',
      // Details of an error have the values that it is about.
      'log_error_verbosity=terse',
      ...(this.#options.durability === 'none' ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
    ];
  }

  /** The port is kept in a file, so that it stays the same from start to start, and chosen anew when it is taken. */
  async #readOrChoosePort(): Promise<number> {
    const file = path.join(path.resolve(this.#options.dataDir), 'postgres-port');
    const kept = Number(await readFile(file, 'utf8').catch(() => ''));
    // The children of a killed server hold its port for a moment longer than itself.
    const patience = this.#port === 0 ? PORT_PATIENCE_MS : PORT_PATIENCE_IN_USE_MS;
    for (const deadline = Date.now() + patience; isPort(kept); await sleep(100)) {
      // Of several processes that found the server dead, another was faster: this port is that server's now.
      if ((await isFree(kept)) || (await this.#livePostmaster())) return kept;
      if (Date.now() > deadline) break;
    }
    for (let attempt = 0; attempt < PORT_CHOICES_MAX; attempt += 1) {
      const port = randomInt(PORT_FIRST, PORT_LAST + 1);
      if (!(await isFree(port))) continue;
      if (isPort(kept))
        this.#options.log(`Port ${kept} is taken by another program; the database moves to port ${port}.`);
      await writeFile(file, `${port}\n`, { mode: 0o600 });
      return port;
    }
    throw new Error(`No free port was found for the database between ${PORT_FIRST} and ${PORT_LAST}.`);
  }

  /** The running server of exactly this cluster, or undefined. A pid file whose process is something else is removed. */
  async #livePostmaster(): Promise<Postmaster | undefined> {
    const file = path.join(this.#location.cluster, 'postmaster.pid');
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
    const commandLine = await this.#commandLine(pid);
    if (commandLine.includes('postgres') && commandLine.includes(this.#location.cluster)) return { pid, port };
    // Postgres would refuse to start over it. Its number may belong to any program after a crash of the machine, or to
    // a killed server that its parent has not buried yet (which has no command line). Should backends of that server
    // still live, Postgres notices by their shared memory, with or without this file.
    if (commandLine) this.#options.log('Removing a stale postmaster.pid that a crash left behind.');
    await removePidFile(file, pid);
    return undefined;
  }

  async #commandLine(pid: number): Promise<string> {
    if (process.platform === 'win32') return `postgres ${this.#location.cluster}`;
    return (
      process.platform === 'linux'
        ? readFile(`/proc/${pid}/cmdline`, 'utf8')
        : execute('ps', ['-o', 'args=', '-p', String(pid)], { env: programEnvironment() }).then((found) => found.stdout)
    ).catch(() => '');
  }

  /** The superuser's session, for which Postgres keeps a place free, or undefined while the server admits nobody. */
  async #connect(port: number): Promise<Client | undefined> {
    if (!isPort(port)) return undefined;
    try {
      return await this.#connectTo(MAINTENANCE_DATABASE, port);
    } catch (error) {
      if (error instanceof DatabaseError && error.code === '28P01') {
        throw new Error(
          `The database refuses the password in ${path.join(this.#options.dataDir, 'postgres-password')}. Restore that file from a backup of the data folder.`,
          { cause: error },
        );
      }
      return undefined;
    }
  }

  async #connectTo(database: string, port: number): Promise<Client> {
    const client = new Client({
      host: '127.0.0.1',
      port,
      user: SUPERUSER,
      password: this.#password,
      database,
      connectionTimeoutMillis: 5_000,
      application_name: 'nova-keeper',
      keepAlive: true,
    });
    // A lost connection is noticed by its `end`; an error event without a listener would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  #pgCtl(args: string[]): Promise<{ ok: boolean; output: string }> {
    return this.#run(this.#location.programs.pgCtl, [...args, '-D', this.#location.cluster]);
  }

  /** Runs a program as the account that owns the cluster: the server that it starts keeps this environment for good. */
  #run(program: string, args: string[]): Promise<{ ok: boolean; output: string }> {
    const env = programEnvironment();
    const cwd = path.parse(this.#location.cluster).root;
    return new Promise((resolve) => {
      const child = spawn(program, args, { ...this.#location.account, cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      const collect = (chunk: Buffer) => {
        output = (output + chunk.toString('utf8')).slice(-2_000);
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      child.once('error', (error) => resolve({ ok: false, output: error.message }));
      // On `exit`, not `close`: the server that pg_ctl leaves behind may hold the pipes open.
      child.once('exit', (code) => resolve({ ok: code === 0, output: output.trim() }));
    });
  }

  async #logTail(): Promise<string> {
    const text = await readFile(this.#location.logFile, 'utf8').catch(() => '');
    const tail = text.trim().split('\n').slice(-5).join('\n');
    return tail ? `The end of ${this.#location.logFile}:\n${tail}` : '';
  }
}

/**
 * Removes the file of a server that is gone, and of no other: of several processes that find it gone one may have started it
 * again in this very moment. Without its file a server can be taken for dead, and ends itself when it notices.
 */
async function removePidFile(file: string, pid: number): Promise<void> {
  const aside = `${file}.${process.pid}-${randomBytes(3).toString('hex')}`;
  try {
    await rename(file, aside);
    const found = await readFile(aside, 'utf8');
    if (Number(found.split('\n')[0]) !== pid) await link(aside, file);
  } catch {
    // Another process has removed it, or made a newer one.
  }
  await rm(aside, { force: true });
}

/** What this process is making now; a draft under its own number that is not in here is of an earlier process. */
const draftsInUse = new Set<string>();

/** Removes the drafts of processes that were killed in the middle of initdb. */
async function removeAbandonedDrafts(cluster: string): Promise<void> {
  const folder = path.dirname(cluster);
  const draft = new RegExp(`^${path.basename(cluster)}\\.draft-(\\d+)-[0-9a-f]+`);
  for (const name of await readdir(folder)) {
    const match = draft.exec(name);
    if (!match) continue;
    const pid = Number(match[1]);
    const inUse = pid === process.pid ? draftsInUse.has(match[0]) : isAlive(pid);
    if (!inUse) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** A rename is on disk only when its folder is; Windows cannot sync folders and needs not to. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPERM';
  }
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
