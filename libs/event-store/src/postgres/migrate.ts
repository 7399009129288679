import { escapeIdentifier, type Pool, type PoolClient } from 'pg';
import { StoreOutdated } from '../port.js';
import { JOURNAL_FUNCTIONS, OPEN_LOCK_CLASS, postgresEventStoreMigrations } from './migrations.js';

/** A table that somebody reads for longer, as a backup does, is left as it is: others would wait behind this. */
const TAKE_OVER_MS_MAX = 2_000;

/**
 * Applies the migrations that this database lacks, each once, one process at a time. What was applied is listed in
 * `journal.migrations`. Where the schema belongs to a role that this one is not, nothing is changed.
 * @throws StoreOutdated that other role has to apply them
 */
export function migrateJournal(pool: Pool): Promise<void> {
  return inOpening(pool, async (client) => {
    const owner = await foreignOwner(client);
    if (owner === undefined) await applyMissing(client);
    else await requireMigrated(client, owner);
    await client.query('select journal.raise_positions()');
  });
}

/**
 * As the role that is to own the journal: makes the schema, or takes it over from a role that this one is a member of, brings it up
 * to date, and gives another role the right to read and to append, and none besides.
 * @param checked looks at the outcome before it is committed; what it throws undoes all
 */
export function prepareJournal(
  pool: Pool,
  appendingRole: string,
  checked: (client: PoolClient) => Promise<void>,
): Promise<void> {
  return inOpening(pool, async (client) => {
    const isTakenOver = await takeOver(client);
    await requireNothingPlanted(client, appendingRole);
    await applyMissing(client);
    if (isTakenOver) await renewFunctions(client);
    await client.query('select journal.raise_positions()');
    const role = escapeIdentifier(appendingRole);
    await client.query(`
      revoke all on schema journal from public, ${role};
      revoke all on all tables in schema journal from public, ${role};
      revoke all on all sequences in schema journal from public, ${role};
      grant usage on schema journal to ${role};
      grant select on all tables in schema journal to ${role};
      grant select on all sequences in schema journal to ${role};
      grant execute on all functions in schema journal to ${role}`);
    await checked(client);
  });
}

/** In one transaction, in which nobody else opens the journal and a name means what Postgres itself has under it. */
async function inOpening(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin; set local search_path = pg_catalog, pg_temp');
    await client.query(`select pg_advisory_xact_lock(${OPEN_LOCK_CLASS}, 0)`);
    await work(client);
    await client.query('commit');
    client.release();
  } catch (error) {
    // The connection goes with the transaction that failed on it.
    client.release(true);
    throw error;
  }
}

/** Undefined where the journal is not there yet, or this role's own. */
async function foreignOwner(client: PoolClient): Promise<string | undefined> {
  const { rows } = await client.query<{ owner: string }>(
    `select pg_get_userbyid(nspowner) as owner from pg_namespace
     where nspname = 'journal' and not pg_has_role(nspowner, 'usage')`,
  );
  return rows[0]?.owner;
}

async function applyMissing(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('journal.migrations') is not null as found`,
  );
  if (rows[0]?.found !== true) {
    await client.query(`create schema if not exists journal;
      create table journal.migrations (name text primary key, applied_at timestamptz not null default now())`);
  }
  for (const { name, sql } of await missing(client)) {
    await client.query(sql);
    await client.query('insert into journal.migrations (name) values ($1)', [name]);
  }
}

async function missing(client: PoolClient): Promise<typeof postgresEventStoreMigrations> {
  const { rows } = await client.query<{ name: string }>('select name from journal.migrations');
  const applied = new Set(rows.map(({ name }) => name));
  return postgresEventStoreMigrations.filter(({ name }) => !applied.has(name));
}

async function requireMigrated(client: PoolClient, owner: string): Promise<void> {
  const lacking = await missing(client);
  if (lacking.length === 0) return;
  throw new StoreOutdated(`it belongs to the role ${owner} and lacks ${lacking.map(({ name }) => name).join(', ')}`);
}

/** The schema first: who owns it may own what is in it. */
async function takeOver(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ statement: string }>(`
    with journal as (select oid, nspowner from pg_namespace where nspname = 'journal'),
    me as (select oid from pg_roles where rolname = current_user)
    select statement from (
      select 1, format('alter schema journal owner to %I', current_user) from journal, me where nspowner <> me.oid
      union all
      select 2, format('alter table %s owner to %I', c.oid::regclass, current_user)
      from pg_class c join journal on journal.oid = c.relnamespace, me where c.relkind = 'r' and c.relowner <> me.oid
      union all
      select 3, format('alter routine %s owner to %I', p.oid::regprocedure, current_user)
      from pg_proc p join journal on journal.oid = p.pronamespace, me where p.proowner <> me.oid
    ) found (place, statement) order by place`);
  if (rows.length === 0) return false;
  const statements = rows.map(({ statement }) => statement).join(';');
  await client.query(`set local lock_timeout = ${TAKE_OVER_MS_MAX}; ${statements}`);
  return true;
}

/**
 * Appends work as the owner, and with them whatever hangs on the tables: of a role that the journal belonged to before, or that may
 * add to it, nobody knows what that does.
 * @throws Error there is something that no migration made
 */
async function requireNothingPlanted(client: PoolClient, appendingRole: string): Promise<void> {
  const { rows } = await client.query<{ what: string }>(
    `
    with ours as (select oid, relname, relkind from pg_class where relnamespace = to_regnamespace('journal'))
    select format('the trigger %I on %I', tgname, relname) as what from pg_trigger join ours on ours.oid = tgrelid where not tgisinternal
    union all
    select format('the rule %I on %I', rulename, relname) from pg_rewrite join ours on ours.oid = ev_class
    union all
    select format('the policy %I on %I', polname, relname) from pg_policy join ours on ours.oid = polrelid
    union all
    select format('the constraint %I on %I', conname, relname) from pg_constraint join ours on ours.oid = conrelid
    where contype not in ('p', 'u', 'n') and (relname, pg_get_constraintdef(pg_constraint.oid)) <> ('position_base', 'CHECK (only_row)')
    union all
    select format('the default of %I in %I', attname, relname) from pg_attrdef d join ours on ours.oid = d.adrelid
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where (relname, pg_get_expr(d.adbin, d.adrelid)) not in (('position_base', 'true'), ('migrations', 'now()'))
    union all
    select format('the index %s', indexrelid::regclass) from pg_index join ours on ours.oid = indrelid
    where indexprs is not null or indpred is not null
    union all
    select format('the table %s, whose rows are read with those of %I', inhrelid::regclass, relname)
    from pg_inherits join ours on ours.oid = inhparent
    union all
    select format('the right of %s to %s on %I', grantee::regrole, lower(privilege_type), relname)
    from ours join (select oid, relacl from pg_class union all select attrelid, attacl from pg_attribute) given (oid, acl) using (oid),
      aclexplode(acl)
    where relkind = 'r' and privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER')
      and grantee <> 0 and grantee not in (select oid from pg_roles where rolname in (current_user, $1))
    union all
    select format('%I', relname) from ours
    where relkind not in ('r', 'i', 'S') or relkind = 'r' and relname not in ('events', 'streams', 'position_base', 'migrations')`,
    [appendingRole],
  );
  if (!rows[0]) return;
  throw new Error(
    `the schema journal has what no release of Nova made: ${rows[0].what}; find out whose it is, and drop it`,
  );
}

/** Of functions that another role may have changed none stays. */
async function renewFunctions(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('drop routine %s', oid::regprocedure) as statement from pg_proc where pronamespace = 'journal'::regnamespace`,
  );
  await client.query(`${rows.map(({ statement }) => statement).join(';')};${JOURNAL_FUNCTIONS}`);
}
