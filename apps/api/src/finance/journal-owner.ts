import { openPool, prepareJournal } from '@app/event-store';
import pg from 'pg';
import type { Config } from '../platform/config.js';
import { errorCode } from '../platform/errors/error-code.js';
import { Explained, reasonOf } from '../platform/errors/explained.js';
import { UsageError } from './cli-arguments.js';

const HOW = 'docs/postgres.md (A role that owns the journal) has the statements';
const MISSING_RIGHT = '42501';
const LOCK_NOT_AVAILABLE = '55P03';

export interface JournalOwner {
  /** Of `DATABASE_OWNER_URL`. Names in its statements are qualified: other roles may make what they like in `public`. */
  readonly pool: pg.Pool;
  readonly name: string;
  /** The role of `DATABASE_URL`, which servers work as. */
  readonly appending: string;
}

/**
 * Works as the role that owns the journal, and may do what servers may as well.
 * @throws Explained the two addresses do not name one database and two such roles
 */
export async function asJournalOwner<T>(
  { databaseUrl, databaseOwnerUrl }: Pick<Config, 'databaseUrl' | 'databaseOwnerUrl'>,
  work: (owner: JournalOwner) => Promise<T>,
): Promise<T> {
  if (!databaseUrl || !databaseOwnerUrl) {
    throw new UsageError(
      'This command needs DATABASE_URL, as servers have it, and DATABASE_OWNER_URL, with the role that owns the journal.',
    );
  }
  const pool = openPool({
    connectionString: databaseOwnerUrl,
    max: 1,
    application_name: 'finance',
    // The pool waits for what it promises, and makes no connection without it.
    onConnect: ((client: pg.ClientBase) => client.query('set search_path = pg_catalog, pg_temp')) as (
      client: pg.ClientBase,
    ) => void,
  });
  try {
    return await work({ pool, ...(await namesOf(pool, databaseUrl)) });
  } finally {
    await pool.end();
  }
}

async function namesOf(pool: pg.Pool, databaseUrl: string): Promise<Omit<JournalOwner, 'pool'>> {
  const server = new pg.Client({ connectionString: databaseUrl, application_name: 'finance' });
  server.on('error', () => undefined);
  try {
    await server.connect().catch(notUsable('DATABASE_URL'));
    const { rows } = await server.query<{ appending: string; pid: number }>(
      'select current_user as appending, pg_backend_pid() as pid',
    );
    const { appending = '', pid } = rows[0] ?? {};
    const { rows: found } = await pool
      .query<{ name: string; here: boolean; member: boolean }>(
        `select current_user as name, pg_has_role($1::name, 'usage') as member,
           exists (select from pg_stat_activity where pid = $2 and datname = current_database()) as here`,
        [appending, pid],
      )
      .catch(notUsable('DATABASE_OWNER_URL'));
    const { name = '', here, member } = found[0] ?? {};
    if (!here) throw new Explained('DATABASE_URL and DATABASE_OWNER_URL name two databases.');
    if (name === appending) {
      throw new Explained(`DATABASE_URL and DATABASE_OWNER_URL both name the role ${name}: ${HOW} for two.`);
    }
    if (!member) {
      throw new Explained(`The role ${name} of DATABASE_OWNER_URL must be a member of ${appending}: ${HOW}.`);
    }
    return { name, appending };
  } finally {
    await server.end();
  }
}

const notUsable =
  (setting: string) =>
  (cause: unknown): never => {
    throw new Explained(`The database that ${setting} names cannot be used: ${reasonOf(cause)}.`, { cause });
  };

/**
 * Makes the journal in Postgres, or takes over the one that is there, and brings it up to date. May be repeated.
 * @returns what is now, in a sentence
 * @throws Explained the roles are not such that servers may append and nothing else
 */
export async function prepareFromTerminal(
  settings: Pick<Config, 'databaseUrl' | 'databaseOwnerUrl' | 'eventStoreUrl'>,
): Promise<string> {
  if (settings.eventStoreUrl)
    return 'The journal is where EVENTSTORE_URL points. There is none to prepare in Postgres.';
  return asJournalOwner(settings, async ({ pool, name, appending }) => {
    await requireApart(pool, appending);
    await prepareJournal(pool, appending, (client) => requireNoMore(client, appending)).catch(explained);
    return `The journal belongs to ${name} and is up to date. ${appending} may only read it and append.`;
  });
}

/** The role that appends must not be able to make itself the owner, nor to drop the whole database. */
async function requireApart(pool: pg.Pool, appending: string): Promise<void> {
  const { rows } = await pool.query<{ name: string; powerful: boolean; takes: boolean; drops: boolean }>(
    `select me.rolname as name, me.rolsuper as powerful,
       other.rolcreaterole or pg_has_role(other.oid, me.oid, 'member')
         or pg_has_role(other.oid, 'pg_execute_server_program', 'member')
         or pg_has_role(other.oid, 'pg_write_server_files', 'member') as takes,
       pg_has_role(other.oid, d.datdba, 'member') as drops
     from pg_roles me, pg_roles other, pg_database d
     where me.rolname = current_user and other.rolname = $1 and d.datname = current_database()`,
    [appending],
  );
  const { name = '', powerful, takes, drops } = rows[0] ?? {};
  if (powerful) {
    throw new Explained(
      `The role ${name} of DATABASE_OWNER_URL is a superuser, and whoever appends works as it: ${HOW}.`,
    );
  }
  if (takes) {
    throw new Explained(
      `The role ${appending} can become ${name}: it is a superuser, may create roles, may write to the server's files, or is a member of it. ${HOW}.`,
    );
  }
  if (drops) throw new Explained(`The database belongs to ${appending}, which can drop it: ${HOW}.`);
}

/** What the grants do not give may come from another role. */
async function requireNoMore(client: pg.PoolClient, appending: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = 'journal'::regnamespace and c.relkind = 'r'
       and (has_table_privilege($1::name, c.oid, 'insert, update, delete, truncate, references, trigger')
         or has_any_column_privilege($1::name, c.oid, 'insert, update, references'))
     union all
     select 'journal' where has_schema_privilege($1::name, 'journal', 'create')
     order by 1 limit 1`,
    [appending],
  );
  if (!rows[0]) return;
  throw new Explained(
    `The role ${appending} may change ${rows[0].name} by another role that it is a member of: ${HOW}.`,
  );
}

function explained(cause: unknown): never {
  if (errorCode(cause) === MISSING_RIGHT) {
    throw new Explained(`The role of DATABASE_OWNER_URL lacks a right: ${reasonOf(cause)}. ${HOW}.`, { cause });
  }
  if (errorCode(cause) === LOCK_NOT_AVAILABLE) {
    throw new Explained('A table of the journal is in use. Stop all servers, and wait for backups.', { cause });
  }
  throw cause;
}

/**
 * The journal's schema gets another name, which its owner alone can give it.
 * @throws UsageError it belongs to a role that this one is not
 */
export async function requireJournalOwned(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ owner: string }>(
    `select pg_get_userbyid(nspowner) as owner from pg_namespace
     where nspname = 'journal' and not pg_has_role(nspowner, 'usage')`,
  );
  if (!rows[0]) return;
  throw new UsageError(`The journal belongs to the role ${rows[0].owner}: move-journal needs DATABASE_OWNER_URL.`);
}
