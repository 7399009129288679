import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.js';
import { freePort } from './product.js';

export const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).error === undefined;

/** It refuses to run as root. */
const ACCOUNT = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];

/** Debian's PgBouncer before a database. */
export class PgBouncer {
  private constructor(
    readonly url: string,
    private readonly program: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @param settings as in `pgbouncer.ini`, beside those of the addresses */
  static async before(databaseUrl: string, settings: Readonly<Record<string, string | number>>): Promise<PgBouncer> {
    const { hostname, port, username, password, pathname } = new URL(databaseUrl);
    const server = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`;
    const own = await freePort();
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: own,
      unix_socket_dir: '',
      auth_type: 'any',
      ...settings,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    const folder = mkdtempSync(path.join(tmpdir(), 'nova-pgbouncer-'));
    const file = path.join(folder, 'pgbouncer.ini');
    writeFileSync(file, ['[databases]', `nova = ${server}`, '[pgbouncer]', ...lines, ''].join('\n'));
    // Read before it gives up root's rights.
    const program = spawn('pgbouncer', [...ACCOUNT, file], { stdio: 'ignore' });
    const url = `postgres://nova@127.0.0.1:${own}/nova`;
    await eventually(
      () => answers(url),
      (isThere) => isThere,
    );
    return new PgBouncer(url, program, folder);
  }

  async stop(): Promise<void> {
    const ended = once(this.program, 'exit');
    this.program.kill('SIGKILL');
    await ended;
    rmSync(this.folder, { recursive: true });
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  const connected = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => undefined);
  return connected;
}
