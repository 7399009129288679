import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openPool } from '@app/event-store';
import pg from 'pg';
import { selfMade } from '../../../../../test/support/certificate.js';
import { eventually } from '../../../../../test/support/eventually.js';
import { loadConfig } from '../config.js';
import { type EmbeddedPostgres, ensurePostgres } from '../embedded-postgres.js';
import { Explained } from '../errors/explained.js';
import { openDataSource, poolOf } from './data-source.js';

/** What `docs/postgres.md` (TLS) tells, at a Postgres whose certificate is that of 127.0.0.1. */
describe('a Postgres with a certificate of its own authority', () => {
  let folder: string;
  let server: EmbeddedPostgres;
  let authority: string;
  let another: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'nova-tls-'));
    server = await ensurePostgres({ dataDir: path.join(folder, 'data'), log: () => undefined, durability: 'none' });
    const { key, cert } = await selfMade();
    authority = path.join(folder, 'authority.pem');
    another = path.join(folder, 'another.pem');
    writeFileSync(authority, cert);
    writeFileSync(another, (await selfMade()).cert);
    const superuser = new pg.Client(server.superuserUrl);
    await superuser.connect();
    const { rows } = await superuser.query<{ data_directory: string }>('show data_directory');
    const home = rows[0]?.data_directory ?? '';
    for (const [name, content] of [
      ['server.crt', cert],
      ['server.key', key],
    ] as const) {
      writeFileSync(path.join(home, name), content, { mode: 0o600 });
      const { uid, gid } = statSync(home);
      chownSync(path.join(home, name), uid, gid);
    }
    await superuser.query('alter system set ssl = on');
    await superuser.query('select pg_reload_conf()');
    await superuser.end();
    await eventually(
      () => isEncrypted({ sslmode: 'no-verify' }).catch(() => false),
      (isOn) => isOn,
    );
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  /** As every server reads the address: by its settings, for the tables and for the journal. */
  async function isEncrypted(parameters: Readonly<Record<string, string>>, host = '127.0.0.1'): Promise<boolean> {
    const url = new URL(server.url);
    url.hostname = host;
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const { databaseUrl = '' } = loadConfig({ NOVA_DATA_DIR: folder, DATABASE_URL: url.href });
    const dataSource = await openDataSource(databaseUrl, { entities: [], areas: [] });
    const pool = openPool({ connectionString: databaseUrl, max: 1 });
    try {
      const ways = await Promise.all(
        [poolOf(dataSource), pool].map((connections) =>
          connections.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()'),
        ),
      );
      const [first, second] = ways.map(({ rows }) => rows[0]?.ssl);
      expect(second).toBe(first);
      return first ?? false;
    } finally {
      await pool.end();
      await dataSource.destroy();
    }
  }

  it.each(['require', 'verify-ca', 'verify-full'])('is taken with its authority: %s', async (sslmode) => {
    await expect(isEncrypted({ sslmode, sslrootcert: authority })).resolves.toBe(true);
  });

  it.each(['require', 'verify-ca', 'verify-full'])('is refused under another name: %s', async (sslmode) => {
    const opening = isEncrypted({ sslmode, sslrootcert: authority }, 'localhost');
    await expect(opening).rejects.toThrow(
      /^The database that DATABASE_URL names cannot be used: .*does not match certificate.*localhost.*\.$/,
    );
    await expect(opening).rejects.toBeInstanceOf(Explained);
  });

  it('is refused without its authority, and with another', async () => {
    for (const sslrootcert of [[], [another]]) {
      const parameters = { sslmode: 'verify-full', ...(sslrootcert[0] && { sslrootcert: sslrootcert[0] }) };
      const opening = isEncrypted(parameters);
      await expect(opening).rejects.toThrow(/^The database that DATABASE_URL names cannot be used: .*certificate.*\.$/);
      await expect(opening).rejects.toBeInstanceOf(Explained);
    }
  });

  it('is spoken to in plain text where nothing is set, and unchecked under no-verify', async () => {
    await expect(isEncrypted({})).resolves.toBe(false);
    await expect(isEncrypted({ sslmode: 'disable' })).resolves.toBe(false);
    await expect(isEncrypted({ sslmode: 'no-verify' }, 'localhost')).resolves.toBe(true);
  });
});
