import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { migrate } from '../../apps/api/src/platform/database/data-source.js';
import { ensurePostgres } from '../../apps/api/src/platform/embedded-postgres.js';
import { SCHEMA } from '../../apps/api/src/schema.js';
import { freePort } from '../support/product.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PATIENCE_MS = 60_000;

/** `npm run ledger` and `database` without npm, where Nova does not run: what they start, they end, however they end. */
describe('a command on a stopped installation', () => {
  let dataDir: string;
  let command: ChildProcess;
  let ended: Promise<number | null>;
  let said: string;
  /** The target of a command's output: nowhere, or a file. */
  let output: 'ignore' | number = 'ignore';

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'nova-ledger-'));
    await chmod(dataDir, 0o711);
    // Without an installation, none is made: an empty one would have no faults.
    expect(await run('ledger', 'verify')).toBe(1);
    expect(said).toContain(`There is no installation in ${dataDir}.`);
    expect(await run('database', 'pg_dump', '-f', path.join(dataDir, 'dump'))).toBe(1);
    expect(said).toContain(`There is no database in ${dataDir}.`);
    expect(readdirSync(dataDir)).toEqual([]);

    const postgres = await ensurePostgres({ dataDir, log: () => undefined });
    await migrate(postgres.url, SCHEMA);
    await postgres.stop();
  });
  afterEach(() => command.kill('SIGKILL'));
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  type Script = 'ledger' | 'database';
  const run = (script: Script, ...args: readonly string[]) => runWith({}, script, ...args);
  const runWith = (settings: NodeJS.ProcessEnv, script: Script, ...args: readonly string[]): Promise<number | null> => {
    const env = { ...process.env, NOVA_DATA_DIR: dataDir };
    for (const name of ['DATABASE_URL', 'EVENTSTORE_URL']) Reflect.deleteProperty(env, name);
    Object.assign(env, settings);
    command = spawn(process.execPath, [`scripts/${script}.mjs`, ...args], {
      cwd: ROOT,
      env,
      stdio: ['ignore', output, 'pipe'],
    });
    const started = command;
    said = '';
    started.stderr?.on('data', (chunk: Buffer) => {
      if (started === command) said += chunk.toString('utf8');
    });
    return (ended = new Promise((resolve) => started.once('close', (code) => resolve(code))));
  };
  const until = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + PATIENCE_MS; !(await condition()); await sleep(20)) {
      if (Date.now() > deadline || command.exitCode !== null) throw new Error(`it never came so: ${what}`);
    }
  };
  const postmasterFile = () => path.join(dataDir, 'postgres/postmaster.pid');
  const kept = (file: string): string => readFileSync(path.join(dataDir, file), 'utf8').trim();

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends Postgres on %s, also while that is starting', async (signal, status) => {
    void run('ledger', 'verify');
    await until('Postgres starts', () => existsSync(postmasterFile()));
    command.kill(signal);
    expect(await ended).toBe(status);
    expect(existsSync(postmasterFile())).toBe(false);
  });

  // Linux has a file that acts like a full disk.
  (existsSync('/dev/full') ? it : it.skip)(
    'says that it could not write what was asked for (needs /dev/full)',
    async () => {
      output = openSync('/dev/full', 'w');
      try {
        expect(await run('ledger', 'export', '--format', 'hledger')).toBe(1);
      } finally {
        closeSync(output);
        output = 'ignore';
      }
      expect(said).toContain('The output is incomplete: it could not be written (');
      expect(said).not.toMatch(/^\s+at /m);
    },
  );

  it('tells read models that are behind from what is wrong, and brings them up where it is told to', async () => {
    expect(await run('ledger', 'verify')).toBe(3);
    expect(await run('ledger', 'verify', '--catch-up')).toBe(0);
    expect(await run('ledger', 'verify')).toBe(0);
  });

  it('ends Postgres on Ctrl-C in the middle of a query, told twice', async () => {
    const postgres = await ensurePostgres({ dataDir, log: () => undefined });
    const owner = new Client({ connectionString: postgres.url });
    await owner.connect();
    await owner.query(`alter view member_directory rename to member_directory_before;
      create view member_directory as select gen_random_uuid() as id, pg_sleep(600)::text as email_key`);
    await owner.end();
    await postgres.stop();

    void run('ledger', 'balance', 'ada@example.com');
    const isAsking = async (): Promise<boolean> => {
      const client = new Client({
        host: '127.0.0.1',
        port: Number(kept('postgres-port')),
        user: 'postgres',
        password: kept('postgres-password'),
        database: 'nova',
      });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return (await client.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)).rowCount === 1;
      } catch {
        return false;
      } finally {
        await client.end();
      }
    };
    await until('the query runs', isAsking);
    for (const signal of ['SIGINT', 'SIGINT'] as const) command.kill(signal);
    expect(await ended).toBe(130);
    expect(existsSync(postmasterFile())).toBe(false);
  });

  it.each([
    ['2025-01-01', '2025-12-31'],
    ['2025-01-02', '2025-01-01'],
  ])('refuses to reconcile from %s to %s as a wrong call', async (from, to) => {
    expect(await run('ledger', 'reconcile', '--from', from, '--to', to)).toBe(2);
  });

  it('says where it looks for the server that reconciling needs', async () => {
    const port = await freePort();
    expect(await runWith({ PORT: String(port) }, 'ledger', 'reconcile')).toBe(1);
    expect(said).toContain(`no server answers at port ${port}. Start the server, or set PORT to its port.`);
  });

  it('reads its own tables alone of a database that is given', async () => {
    const postgres = await ensurePostgres({ dataDir, log: () => undefined, database: 'other' });
    expect(await runWith({ DATABASE_URL: postgres.url }, 'ledger', 'verify')).toBe(1);
    expect(said).toContain('The database that DATABASE_URL names has no installation of Nova.');
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    expect((await client.query(`select from pg_tables where schemaname = 'public'`)).rowCount).toBe(0);
    await client.end();
    await postgres.stop();
  });

  it.each([0, 3])('runs a program on the database, and ends as it does: %i', async (status) => {
    const program = `const client = new (require('pg').Client)();
      client.connect().then(() => client.query('select from journal.events')).then(() => process.exit(${status}))`;
    expect(await run('database', process.execPath, '-e', program)).toBe(status);
    expect(existsSync(postmasterFile())).toBe(false);
  });
});
