import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * A database of its own for one spec file, on the server that `scripts/test.mjs` started (`TEST_DATABASE_URL` has the
 * right to make databases and roles there). The server is shared; databases are dropped when their file ends. As
 * everywhere, the product connects as a role that owns this database and has no other right.
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

/** The initial content of databases, made once on the server and then copied. */
export interface Template {
  /** The same name stands for the same content, also in other runs on the server. */
  readonly name: string;
  /** Brings an empty database there, by the role that owns it. */
  readonly fill: (url: string) => Promise<void>;
}

export async function createTestDatabase(label = 'spec', template?: Template): Promise<TestDatabase> {
  const name = `nova_${label}_${randomBytes(6).toString('hex')}`;
  if (template) await makeTemplate(template);
  const url = await createOwned(name, template?.name);
  if (template) await inDatabase(name, `reassign owned by ${template.name} to ${name}`);
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  pool.on('error', () => undefined);
  return {
    url,
    pool,
    async drop() {
      await pool.end();
      await onServer(`drop database if exists ${name} with (force)`, `drop role if exists ${name}`);
    },
  };
}

/** Creates a database and the role that owns it, with the same name. @returns its address */
async function createOwned(name: string, template = 'template1'): Promise<string> {
  const password = randomBytes(16).toString('hex');
  await onServer(
    `create role ${name} login password '${password}'`,
    `grant ${name} to current_user`,
    // Copied as files, not through the log, which takes a quarter of the time.
    `create database ${name} owner ${name} template ${template} strategy file_copy`,
  );
  return addressOf(name, { username: name, password });
}

const ready = new Set<string>();

/** Once for all workers: the first one makes it under another name, and the others wait. */
async function makeTemplate({ name, fill }: Template): Promise<void> {
  if (ready.has(name)) return;
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      await onServer(
        `drop database if exists ${name}_draft with (force)`,
        `drop role if exists ${name}_draft`,
        `drop role if exists ${name}`,
      );
      await fill(await createOwned(`${name}_draft`));
      await onServer(
        `alter database ${name}_draft owner to current_user`,
        `alter role ${name}_draft rename to ${name}`,
        `alter database ${name}_draft rename to ${name}`,
      );
    }
    ready.add(name);
  } finally {
    // The lock ends with the connection.
    await client.end();
  }
}

function addressOf(database: string, role: { readonly username?: string; readonly password?: string } = {}): string {
  const url = new URL(serverUrl());
  Object.assign(url, { ...role, pathname: `/${database}` });
  return url.href;
}

/** As the role of `TEST_DATABASE_URL`, one statement after the other. */
export const onServer = (...statements: readonly string[]): Promise<void> => run(serverUrl(), statements);

const inDatabase = (name: string, ...statements: readonly string[]): Promise<void> => run(addressOf(name), statements);

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
