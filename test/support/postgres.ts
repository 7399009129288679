import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * A database of its own for one spec file, on the server that `scripts/test.mjs` started (`TEST_DATABASE_URL` names its
 * maintenance database). The server is shared; databases are dropped when their file ends.
 */
export interface TestDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  drop(): Promise<void>;
}

export function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url)
    throw new Error('TEST_DATABASE_URL is not set: run the tests through `npm test`, or see docs/operations.md');
  return url;
}

export async function createTestDatabase(label = 'spec'): Promise<TestDatabase> {
  const name = `nova_${label}_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: serverUrl() });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();

  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 10 });
  pool.on('error', () => undefined);
  return {
    url: url.href,
    pool,
    async drop() {
      await pool.end();
      const client = new pg.Client({ connectionString: serverUrl() });
      await client.connect();
      await client.query(`drop database if exists ${name} with (force)`);
      await client.end();
    },
  };
}
