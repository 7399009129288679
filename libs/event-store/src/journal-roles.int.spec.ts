import { Client, DatabaseError } from 'pg';
import { createTestDatabase, onServer, type TestDatabase } from '../../../test/support/postgres.js';
import { collect, newEvent, newEvents } from './contract.suite.js';
import { StoreOutdated } from './port.js';
import { prepareJournal } from './postgres/migrate.js';
import { postgresEventStoreMigrations } from './postgres/migrations.js';
import { PostgresEventStore } from './postgres/postgres-event-store.js';
import { StreamEnd } from './postgres/stream-end.js';

const FUNCTIONS = ['append(text, text, text, text, text, text, text)', 'raise_positions()'];
const APPEND = 'select * from journal.append($1, $2, $3, $4, $5, $6, $7)';
const parametersOf = (stream: string, expected: number, count = '1') => {
  const event = newEvent();
  return [stream, String(expected), count, event.id, event.type, event.data, event.metadata];
};

/** What may be done with a journal by a role that does not own it: read and append, and nothing else. */
describe('the journal of another role', () => {
  let database: TestDatabase;
  let name: string;
  let url: string;
  /** Of that role. */
  let session: Client;

  beforeEach(async () => {
    database = await createTestDatabase('roles');
    const owner = new URL(database.url).username;
    name = `${owner}_runs`;
    await onServer(
      `create role ${name} login password 'a word'`,
      `grant ${name} to ${owner}`,
      `grant connect, create on database ${owner} to ${name}`,
    );
    await database.pool.query(`grant usage, create on schema public to ${name}`);
    url = Object.assign(new URL(database.url), { username: name, password: 'a word' }).href;
    session = new Client({ connectionString: url });
    await session.connect();
  });
  afterEach(async () => {
    await session.end();
    await database.drop();
    await onServer(`drop role if exists ${name}`);
  });

  const prepare = (): Promise<void> => prepareJournal(database.pool, name, () => Promise.resolve());

  const tables = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'journal'::regnamespace and relkind = 'r'`,
    );
    return rows.map((row) => row.name);
  };
  const lastColumnOf = async (table: string): Promise<string> => {
    const { rows } = await database.pool.query<{ name: string }>(
      'select attname as name from pg_attribute where attrelid = $1::regclass order by attnum desc limit 1',
      [`journal.${table}`],
    );
    return rows[0]!.name;
  };
  const ownersInJournal = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ owner: string }>(
      `select pg_get_userbyid(nspowner) as owner from pg_namespace where nspname = 'journal'
       union select pg_get_userbyid(relowner) from pg_class where relnamespace = 'journal'::regnamespace
       union select pg_get_userbyid(proowner) from pg_proc where pronamespace = 'journal'::regnamespace`,
    );
    return rows.map(({ owner }) => owner);
  };

  const functions = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ text: string }>(
      `select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'journal'::regnamespace order by proname`,
    );
    return rows.map(({ text }) => text);
  };

  const refused = async (statement: string): Promise<void> => {
    const outcome = await session.query(statement).then(
      () => 'done',
      (error: unknown) => (error instanceof DatabaseError ? error.code : error),
    );
    expect([statement, outcome]).toEqual([statement, '42501']);
  };

  it('is read and appended to, also in a transaction that was begun, and changed in no other way', async () => {
    await prepare();
    const store = await PostgresEventStore.open({ connectionString: url });
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await Promise.all(['a', 'b'].map((stream) => store.append(stream, newEvents(3), 'none')));
      // It may be repeated while servers write.
      await Promise.all([prepare(), store.append('a', newEvents(1), 'any')]);
      const end = new StreamEnd('a');
      await client.query(`${end.session}; begin; select pg_advisory_xact_lock(1)`);
      await expect(end.append(client, newEvents(2), 3)).resolves.toEqual({ revision: 5 });

      for (const table of await tables()) {
        const column = await lastColumnOf(table);
        for (const statement of [
          `insert into journal.${table} default values`,
          `copy journal.${table} from stdin`,
          `update journal.${table} set ${column} = ${column}`,
          `select from journal.${table} for update`,
          `merge into journal.${table} t using journal.${table} s on t.${column} = s.${column} when matched then delete`,
          `delete from journal.${table}`,
          `truncate journal.${table}`,
          `drop table journal.${table} cascade`,
          `do $$ begin lock table journal.${table} in exclusive mode; end $$`,
          `alter table journal.${table} rename to gone`,
          `alter table journal.${table} set schema public`,
          `alter table journal.${table} owner to ${name}`,
          `alter table journal.${table} disable trigger user`,
          `create trigger planted before insert on journal.${table} execute function suppress_redundant_updates_trigger()`,
          `create rule planted as on insert to journal.${table} do instead nothing`,
          `create index on journal.${table} (${column})`,
          `create table referring (id integer references journal.${table})`,
        ]) {
          await refused(statement);
        }
      }
      for (const statement of [
        'alter schema journal rename to gone',
        `alter schema journal owner to ${name}`,
        'drop schema journal cascade',
        'create table journal.more ()',
        `select nextval('journal.streams_id_seq')`,
        `create function journal.more() returns integer language sql as 'select 1'`,
        ...FUNCTIONS.flatMap((signature) => [
          `drop function journal.${signature}`,
          `alter function journal.${signature} rename to gone`,
          `alter function journal.${signature} reset search_path`,
        ]),
      ]) {
        await refused(statement);
      }
      // A dump by this role reads it.
      await session.query('select last_value from journal.streams_id_seq');
      // Somebody without a right of their own grants nothing, which is a warning at most.
      await session.query(`grant all on journal.events to ${name}`).catch(() => undefined);
      await refused('delete from journal.events');

      const read = await collect(store.readAll());
      expect(read.map(({ stream, revision }) => `${stream}@${revision}`).toSorted()).toEqual([
        'a@0',
        'a@1',
        'a@2',
        'a@3',
        'a@4',
        'a@5',
        'b@0',
        'b@1',
        'b@2',
      ]);
    } finally {
      await client.end();
      await store.close();
    }
  });

  it('is not appended to by whoever may only read, and no name of theirs is taken for another', async () => {
    await prepare();
    await session.query(APPEND, parametersOf('a', -1));
    // It would be taken for what `append` calls: the types are nearer than those of Postgres' own.
    await session.query(`
      create function public.width_bucket(integer, integer[]) returns integer language plpgsql as
        $$ begin delete from journal.events; return 1; end $$;
      create function public.int4_first(integer, integer) returns boolean language plpgsql as
        $$ begin delete from journal.events; return true; end $$;
      create operator public.>= (leftarg = integer, rightarg = integer, function = public.int4_first)`);
    await session.query('set search_path = public, pg_catalog');
    await session.query(APPEND, parametersOf('a', 0));
    await session.query('select journal.raise_positions()');
    const { rows } = await database.pool.query('select revision from journal.events order by revision');
    expect(rows).toEqual([{ revision: 0 }, { revision: 1 }]);

    for (const signature of FUNCTIONS) {
      const asked = await database.pool.query<{ may: boolean }>(
        `select has_function_privilege('public', 'journal.${signature}', 'execute') as may`,
      );
      expect([signature, asked.rows[0]?.may]).toEqual([signature, false]);
    }
  });

  it('gets no gap and no stream without a name from whoever says wrong things of an append', async () => {
    await prepare();
    await session.query(APPEND, parametersOf('a', -1));
    for (const count of ['0', '-3', '2', '']) {
      await expect(session.query(APPEND, parametersOf('a', 0, count))).rejects.toThrow('journal.append got');
    }
    const two = newEvents(2);
    const lists = [two.map(({ id }) => id), two.map(({ type }) => type), two.map(({ data }) => data), ['{}', '{}']];
    const texts = lists.map((list) => list.join('\n'));
    for (const [names, counts] of [
      ['b\n', '1\n1'],
      ['b\nc', '-1\n3'],
      ['b\nc', '3\n-1'],
      ['b', '1'],
    ]) {
      await expect(session.query(APPEND, [names, '-1\n-1', counts, ...texts])).rejects.toThrow('journal.append got');
    }
    const { rows } = await database.pool.query(
      'select s.name, e.revision from journal.events e join journal.streams s on s.id = e.stream',
    );
    expect(rows).toEqual([{ name: 'a', revision: 0 }]);
  });

  it('is brought up to date by its owner, and named by whoever finds that it is not', async () => {
    await prepare();
    await (await PostgresEventStore.open({ connectionString: url })).close();
    await database.pool.query(`delete from journal.migrations where name = '0006-append-as-owner'`);
    const opening = PostgresEventStore.open({ connectionString: url });
    await expect(opening).rejects.toBeInstanceOf(StoreOutdated);
    await expect(opening).rejects.toThrow(
      `it belongs to the role ${new URL(database.url).username} and lacks 0006-append-as-owner`,
    );
    await prepare();
    await (await PostgresEventStore.open({ connectionString: url })).close();
  });

  it('is taken over from the role that made it, with the migrations of before and its events', async () => {
    const before = postgresEventStoreMigrations.slice(0, 5);
    expect(before.at(-1)?.name).toBe('0005-no-jit');
    await session.query(`create schema journal;
      create table journal.migrations (name text primary key, applied_at timestamptz not null default now())`);
    for (const migration of before) {
      await session.query(migration.sql);
      await session.query('insert into journal.migrations (name) values ($1)', [migration.name]);
    }
    await session.query(APPEND, parametersOf('a', -1));
    await session.query(`
      create function journal.work(what text) returns void security definer language plpgsql as $$ begin execute what; end $$;
      create or replace function journal.raise_positions() returns void language sql as 'delete from journal.events'`);
    await prepare();
    await expect(session.query(`select journal.work('delete from journal.events')`)).rejects.toThrow('does not exist');
    const taken = await functions();
    await database.pool.query('drop schema if exists other cascade; alter schema journal rename to other');
    await prepare();
    expect(taken).toEqual(await functions());
    await database.pool.query('drop schema journal cascade; alter schema other rename to journal');
    await prepare();
    expect(await ownersInJournal()).toEqual([new URL(database.url).username]);
    await refused('delete from journal.events');
    // As after a restore into a cluster that has used fewer transaction ids.
    await database.pool.query('update journal.events set position = position + (1000000::bigint << 20)');
    const store = await PostgresEventStore.open({ connectionString: url });
    try {
      await store.append('a', newEvents(2), 0);
      expect((await collect(store.readAll())).map(({ revision }) => revision)).toEqual([0, 1, 2]);
    } finally {
      await store.close();
    }
    await prepare();
  });

  it.each([
    [
      'create trigger t before insert on journal.events for each row execute function public.evil()',
      'the trigger t on events',
    ],
    ['alter table journal.events add check (public.evil_check(data))', 'the constraint events_data_check on events'],
    ['alter table journal.streams add column extra text default public.evil_text()', 'the default of extra in streams'],
    ['create index i on journal.events (public.evil_text(data))', 'the index journal.i'],
    ['create table journal.mine ()', 'mine'],
    [
      'create table public.mine () inherits (journal.events)',
      'the table public.mine, whose rows are read with those of events',
    ],
    ['grant update (data) on journal.events to pg_monitor', 'the right of pg_monitor to update on events'],
    ['create rule r as on insert to journal.streams do also delete from journal.events', 'the rule r on streams'],
  ])('is not taken over with what its role may have planted: %s', async (statement, what) => {
    await session.query(`
      create function public.evil() returns trigger language plpgsql as $$ begin return new; end $$;
      create function public.evil_check(text) returns boolean immutable language sql as 'select true';
      create function public.evil_text(text default '') returns text immutable language sql as $$ select ''::text $$`);
    await (await PostgresEventStore.open({ connectionString: url })).close();
    await session.query(statement);
    await expect(prepare()).rejects.toThrow(`the schema journal has what no release of Nova made: ${what};`);
    expect(await ownersInJournal()).toEqual([name]);
  });

  it('of one role alone is brought up to date by whoever opens it, with its events', async () => {
    const { pool } = database;
    await pool.query(`create schema journal;
      create table journal.migrations (name text primary key, applied_at timestamptz not null default now())`);
    for (const migration of postgresEventStoreMigrations.slice(0, 5)) {
      await pool.query(migration.sql);
      await pool.query('insert into journal.migrations (name) values ($1)', [migration.name]);
    }
    await pool.query(APPEND, parametersOf('a', -1));
    const store = await PostgresEventStore.open({ connectionString: database.url });
    await store.append('a', newEvents(1), 0);
    expect(await collect(store.readAll())).toHaveLength(2);
    await store.close();
    const { rows } = await pool.query<{ settings: string[] }>(
      `select proconfig as settings from pg_proc where proname = 'append' and pronamespace = 'journal'::regnamespace`,
    );
    expect(rows[0]?.settings.toSorted()).toEqual([
      'enable_bitmapscan=off',
      'enable_seqscan=off',
      'jit=off',
      'plan_cache_mode=force_generic_plan',
      'search_path=pg_catalog, pg_temp',
    ]);
  });
});
