import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { errorCode } from './errors/error-code.js';

/** The role that the product works as: it owns its database and has no right beyond that. */
export const PRODUCT_ROLE = 'nova';

/** Any number: of several processes that start at once, one at a time looks after the role and its database. */
const PREPARE_LOCK = 719_203_442;
const LOCK_MS_MAX = 1_000;
const LOCK_PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * The role's password follows from the superuser's, which does not follow from it: one secret file opens the database, in
 * backups of earlier releases as well.
 */
export const productPassword = (superuserPassword: string): string =>
  createHmac('sha256', superuserPassword).update(`role ${PRODUCT_ROLE}`).digest('base64url');

export interface PreparedDatabase {
  /** A session of the superuser, in the maintenance database. */
  readonly superuser: Client;
  readonly database: string;
  readonly password: string;
  /** Opens another session of the superuser, in the product's database. */
  readonly connect: () => Promise<Client>;
  readonly log: (sentence: string) => void;
}

/**
 * Makes the product's role and its database where they are missing, and gives the role whatever in that database belongs to
 * the superuser: releases before this one worked as the superuser, and so does whoever restores a dump. May be repeated.
 */
export async function prepareProductDatabase(options: PreparedDatabase): Promise<void> {
  const { superuser, database, password } = options;
  // Where it fails the session ends, and the lock with it.
  await superuser.query('select pg_advisory_lock($1)', [PREPARE_LOCK]);
  await makeRole(superuser, password);
  await makeDatabase(superuser, database);
  await ownEverything(options);
  await superuser.query('select pg_advisory_unlock($1)', [PREPARE_LOCK]);
}

async function makeRole(superuser: Client, password: string): Promise<void> {
  const { rowCount } = await superuser.query('select from pg_roles where rolname = $1', [PRODUCT_ROLE]);
  const rights = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  const secret = superuser.escapeLiteral(password);
  // A statement that fails stands in the server's log, and this one has a password.
  await superuser.query('set log_min_error_statement = panic');
  await superuser.query(`${rowCount ? 'alter' : 'create'} role ${PRODUCT_ROLE} with ${rights} password ${secret}`);
  await superuser.query('reset log_min_error_statement');
}

async function makeDatabase(superuser: Client, name: string): Promise<void> {
  const { rows } = await superuser.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [name],
  );
  const database = superuser.escapeIdentifier(name);
  if (!rows[0]) await superuser.query(`create database ${database} owner ${PRODUCT_ROLE}`);
  else if (rows[0].owner !== PRODUCT_ROLE) {
    await superuser.query(`alter database ${database} owner to ${PRODUCT_ROLE}`);
  }
}

/**
 * Statements that give the role what belongs to another in the database of the session. What belongs to an extension stays, and
 * so does what follows its table: sequences of columns, row types, arrays. (`reassign owned` refuses to empty the superuser.)
 */
const FOREIGN_OBJECTS = `
  with role as (select oid from pg_roles where rolname = $1),
  ours as (select oid, nspname from pg_namespace
    where nspname <> 'information_schema' and nspname not like 'pg\\_%'),
  extended as (select classid, objid from pg_depend where deptype = 'e'),
  followers as (select objid from pg_depend where classid = 'pg_class'::regclass and deptype in ('a', 'i')
    and refclassid = 'pg_class'::regclass and refobjsubid > 0)
  select format('alter schema %I owner to %I', n.nspname, $1) as statement
    from pg_namespace n join ours using (oid)
    where n.nspname <> 'public' and n.nspowner <> (select oid from role)
      and ('pg_namespace'::regclass, n.oid) not in (select classid, objid from extended)
  union all
  select format('alter %s %s owner to %I', case c.relkind when 'S' then 'sequence' when 'v' then 'view'
      when 'm' then 'materialized view' else 'table' end, c.oid::regclass, $1)
    from pg_class c join ours on ours.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S') and c.relowner <> (select oid from role)
      and ('pg_class'::regclass, c.oid) not in (select classid, objid from extended)
      and not (c.relkind = 'S' and c.oid in (select objid from followers))
  union all
  select format('alter routine %s owner to %I', p.oid::regprocedure, $1)
    from pg_proc p join ours on ours.oid = p.pronamespace
    where p.proowner <> (select oid from role) and ('pg_proc'::regclass, p.oid) not in (select classid, objid from extended)
  union all
  select format('alter type %s owner to %I', t.oid::regtype, $1)
    from pg_type t join ours on ours.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
    where t.typowner <> (select oid from role) and ('pg_type'::regclass, t.oid) not in (select classid, objid from extended)
      and t.typcategory <> 'A' and (c.oid is null or c.relkind = 'c') and t.typtype <> 'm'`;

/** All of it or nothing. Nobody waits behind it for longer than a moment for a table that a backup reads. */
async function ownEverything({ connect, log }: PreparedDatabase): Promise<void> {
  const client = await connect();
  try {
    for (let tries = 1; ; tries++) {
      const { rows } = await client.query<{ statement: string }>(FOREIGN_OBJECTS, [PRODUCT_ROLE]);
      if (rows.length === 0) return;
      if (tries === 1) log(`Giving the database's role ${PRODUCT_ROLE} what is in its database (once).`);
      try {
        const statements = rows.map(({ statement }) => statement).join(';');
        await client.query(`begin; set local lock_timeout = ${LOCK_MS_MAX}; ${statements}; commit`);
        return;
      } catch (error) {
        await client.query('rollback');
        if (!(error instanceof DatabaseError) || errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
        if (tries === 1) log('Waiting for a table that is in use, by a backup for instance, to give it to its role.');
        await sleep(LOCK_PAUSE_MS);
      }
    }
  } finally {
    await client.end();
  }
}
