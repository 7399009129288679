import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * A database of its own for one spec file, on the server that `scripts/test.mjs` started (`TEST_DATABASE_URL` has the right to
 * make databases and roles there). The server is shared; databases are dropped when their file ends. The product works with
 * each as it does everywhere: by a role that owns this database and has no other right.
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
  const password = randomBytes(16).toString('hex');
  await onServer(
    `create role ${name} login password '${password}'`,
    `grant ${name} to current_user`,
    `create database ${name} owner ${name}`,
  );

  const url = new URL(serverUrl());
  Object.assign(url, { username: name, password, pathname: `/${name}` });
  const pool = new pg.Pool({ connectionString: url.href, max: 10 });
  pool.on('error', () => undefined);
  return {
    url: url.href,
    pool,
    async drop() {
      await pool.end();
      await onServer(`drop database if exists ${name} with (force)`, `drop role if exists ${name}`);
    },
  };
}

/** As the role of `TEST_DATABASE_URL`, one statement after the other. */
export async function onServer(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
