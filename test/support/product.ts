import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { keepSigningKeys, lendSigningKeys } from './signing-keys.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const READY_TIMEOUT_MS = 90_000;
const END_TIMEOUT_MS = 30_000;

export interface ProductOptions {
  /** Folder of the installation: its embedded Postgres, its secrets, its log (`api.log`). */
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The host name of its address; 127.0.0.1 if absent. */
  readonly host?: string;
  /** Distinguishes the logs of several processes on one folder (`api` if absent). */
  readonly name?: string;
  /** The folder of another release, built; this one if absent. */
  readonly release?: string;
}

/** The built product as its users run it: a process of its own, reached over HTTP, killed when a test says so. */
export class Product {
  readonly url: string;
  readonly #port: number;
  readonly #options: ProductOptions;
  #api: ChildProcess | undefined;

  private constructor(options: ProductOptions, port: number) {
    this.#options = options;
    this.#port = port;
    this.url = `http://${options.host ?? '127.0.0.1'}:${port}`;
  }

  static async start(options: ProductOptions): Promise<Product> {
    const product = new Product(options, await freePort());
    await product.start();
    return product;
  }

  /** Starts the API again, on the same port and folder, and waits until it is ready. */
  async start(): Promise<void> {
    const release = this.#options.release ?? ROOT;
    const entry = path.join(release, 'dist/apps/api/src/main.js');
    if (!existsSync(entry)) throw new Error('The API is not built: run the tests through `npm test`.');
    lendSigningKeys(this.#options.dataDir);
    const log = createWriteStream(this.logFile, { flags: 'a' });
    // Its disk may be full on purpose.
    log.on('error', () => undefined);
    const api = spawn(process.execPath, ['--enable-source-maps', entry], {
      cwd: release,
      env: {
        ...withoutOurs(process.env),
        PORT: String(this.#port),
        PUBLIC_URL: this.url,
        NOVA_DATA_DIR: this.#options.dataDir,
        DEMO_DATA: 'false',
        LOG_LEVEL: 'warn',
        RATE_LIMIT_FACTOR: '10000',
        ...this.#options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    api.stdout?.pipe(log);
    api.stderr?.pipe(log);
    this.#api = api;
    await this.untilReady();
    keepSigningKeys(this.#options.dataDir);
  }

  get logFile(): string {
    return path.join(this.#options.dataDir, `${this.#options.name ?? 'api'}.log`);
  }

  get isRunning(): boolean {
    return this.#api !== undefined && this.#api.exitCode === null && this.#api.signalCode === null;
  }

  /** Ready means that the API says so of all its parts; an API that ended instead is an error that shows the end of its log. */
  async untilReady(): Promise<void> {
    let health = 'no answer';
    for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
      if (!this.isRunning) throw new Error(`The API ended instead of becoming ready.\n${this.logTail()}`);
      const answer = await fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).catch(
        () => undefined,
      );
      health = (await answer?.text().catch(String)) ?? health;
      if (answer?.ok && health.includes('"status":"ready"')) return;
    }
    throw new Error(`The API was not ready within ${READY_TIMEOUT_MS / 1000} s: ${health}\n${this.logTail()}`);
  }

  /**
   * Waits until it is ready again after its database was killed. Restarts an API that ended itself (with its reason
   * logged).
   */
  async untilRecovered(): Promise<void> {
    try {
      await this.untilReady();
    } catch (error) {
      if (this.isRunning) throw error;
      await this.start();
    }
  }

  get pid(): number | undefined {
    return this.#api?.pid;
  }

  /** Stops the process in the middle of its work, like a machine that hangs; `thaw` lets it continue. */
  freezeApi(): void {
    this.#api?.kill('SIGSTOP');
  }

  thawApi(): void {
    this.#api?.kill('SIGCONT');
  }

  async killApi(): Promise<void> {
    this.#api?.kill('SIGKILL');
    await this.untilEnded();
  }

  /** Kills the postmaster and every process of its server in one go, as a machine's out-of-memory killer might. */
  killPostgres(): void {
    const postmaster = this.postmasterPid();
    if (postmaster === undefined) return;
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const children = stdout
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([, parent]) => parent === postmaster)
      .map(([pid]) => pid ?? 0);
    for (const pid of [postmaster, ...children]) kill(pid, 'SIGKILL');
  }

  postmasterPid(): number | undefined {
    const base = path.join(this.#options.dataDir, 'postgres-location');
    const folder = existsSync(base) ? readFileSync(base, 'utf8').trim() : this.#options.dataDir;
    const file = path.join(folder, 'postgres', 'postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
  }

  /** Stops it as users do. */
  async stop(): Promise<void> {
    this.#api?.kill('SIGTERM');
    await this.untilEnded();
  }

  async untilEnded(): Promise<void> {
    for (const deadline = Date.now() + END_TIMEOUT_MS; this.isRunning; await sleep(20)) {
      if (Date.now() > deadline) {
        this.#api?.kill('SIGKILL');
        throw new Error(`The API did not end within ${END_TIMEOUT_MS / 1000} s.\n${this.logTail()}`);
      }
    }
  }

  /** The positions of the journal and each read model of an embedded installation, for the report of a failure. */
  async positions(): Promise<string> {
    const client = new Client(embeddedDatabase(this.#options.dataDir));
    await client.connect();
    try {
      const journal = await client.query<{ there: boolean }>(
        `select to_regclass('journal.events') is not null as there`,
      );
      const head = journal.rows[0]?.there
        ? await client.query('select max(position) as position, max(revision) as revision from journal.events')
        : { rows: ['in the event store'] };
      const models = await client.query(
        'select name, position, revision, owner, lease_until, updated_at, now() from read.checkpoint',
      );
      return JSON.stringify({ head: head.rows, models: models.rows });
    } finally {
      await client.end();
    }
  }

  logTail(): string {
    return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8').split('\n').slice(-40).join('\n') : '';
  }
}

/** How the database of an embedded installation is reached. */
export function embeddedDatabase(dataDir: string): ClientConfig {
  const read = (name: string): string => readFileSync(path.join(dataDir, name), 'utf8').trim();
  return {
    host: '127.0.0.1',
    port: Number(read('postgres-port')),
    user: 'postgres',
    password: read('postgres-password'),
    database: 'nova',
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  };
}

/** The developer's own settings must not reach the tested product. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours =
    /^(DATABASE_URL|EVENTSTORE_URL|STRIPE_|SANDBOX_|SMTP_|MAIL_FROM|SESSION_SECRET|ADMIN_EMAIL|TRUST_PROXY|NODE_ENV|npm_|JEST_)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)));
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself a moment before.
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
