import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { eventually } from '../../../../../test/support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { freePort } from '../../../../../test/support/product.js';
import { lookForPooler } from './pooler.js';

const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).error === undefined;
if (!hasPgBouncer) process.stderr.write('  Skipped: poolers, because there is no program pgbouncer.\n');
/** It refuses to run as root. */
const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];

describe('a pooler before Postgres', () => {
  let database: TestDatabase;
  let folder: string;
  const poolers: ChildProcess[] = [];
  beforeAll(async () => {
    database = await createTestDatabase('pooler');
    folder = mkdtempSync(path.join(tmpdir(), 'nova-pooler-'));
  });
  afterAll(async () => {
    for (const pooler of poolers) pooler.kill('SIGKILL');
    rmSync(folder, { recursive: true });
    await database.drop();
  });

  async function look(connectionString: string): Promise<string | undefined> {
    const pool = new pg.Pool({ connectionString, max: 2 });
    try {
      return await lookForPooler(pool);
    } finally {
      await pool.end();
    }
  }

  async function pgBouncer(mode: string): Promise<string> {
    const { hostname, port, username, password, pathname } = new URL(database.url);
    const server = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`;
    const own = await freePort();
    const file = path.join(folder, `${mode}.ini`);
    const settings = ['listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir =', 'auth_type = any'];
    writeFileSync(
      file,
      ['[databases]', `nova = ${server}`, '[pgbouncer]', ...settings, `pool_mode = ${mode}`, ''].join('\n'),
    );
    // Read before it gives up root's rights.
    poolers.push(spawn('pgbouncer', [...account, file], { stdio: 'ignore' }));
    const url = `postgres://nova@127.0.0.1:${own}/nova`;
    const answers = async (): Promise<boolean> => {
      const client = new pg.Client(url);
      client.on('error', () => undefined);
      const connected = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      return connected;
    };
    await eventually(answers, (isThere) => isThere);
    return url;
  }

  it('is not seen where there is none', async () => {
    expect(await look(database.url)).toBeUndefined();
  });

  if (hasPgBouncer) {
    it('is told of while it keeps sessions whole', async () => {
      expect(await look(await pgBouncer('session'))).toContain('must hold all connections of each server');
    });

    it.each(['transaction', 'statement'])('is refused where it shares them: %s', async (mode) => {
      await expect(look(await pgBouncer(mode))).rejects.toThrow(
        'a pooler that shares connections between transactions',
      );
    });
  }
});
