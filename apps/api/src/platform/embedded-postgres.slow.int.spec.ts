import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { SCHEMA } from '../schema.js';
import { migrate } from './database/data-source.js';
import { ensurePostgres, stopUnusedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

jest.setTimeout(90_000);

/** Each test has a cluster of its own; `fsync` stays on, because recovery is what is tested. */
describe('ensurePostgres', () => {
  let root: string;
  let dataDir: string;
  let running: EmbeddedPostgres[];
  let sentences: string[];
  const log = (sentence: string) => void sentences.push(sentence);
  const ensure = async (more: { onLost?: (reason: Error) => void } = {}) => {
    const server = await ensurePostgres({ dataDir, log, ...more });
    running.push(server);
    return server;
  };

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'nova-embedded-'));
    await chmod(root, 0o755);
    dataDir = path.join(root, 'data');
    running = [];
    sentences = [];
  });

  afterEach(async () => {
    for (const server of running) await server.stop();
    await stopUnusedPostgres({ dataDir, log }).catch(() => undefined);
    await rm(root, { recursive: true, force: true });
  });

  const pidFile = () => path.join(dataDir, 'postgres', 'postmaster.pid');
  const postmasterPid = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);
  const until = async (condition: () => boolean | Promise<boolean>) => {
    for (let waited = 0; !(await condition()); waited += 100) {
      if (waited > 30_000) throw new Error(`not within 30 s; log: ${sentences.join(' | ')}`);
      await sleep(100);
    }
  };

  it('makes a durable database with a secret of its own, keeps both over a stop, and leaves nothing running', async () => {
    const first = await ensure();
    expect(first.adopted).toBe(false);
    expect(await query(first.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(first.url, "select 'ÄÖ' ilike 'äö' as folded")).toEqual([{ folded: true }]);
    await query(first.url, 'create table kept as select 42 as answer');
    expect(statSync(path.join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
    await first.stop();
    expect(existsSync(pidFile())).toBe(false);

    const second = await ensure();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('gives its server nothing of an environment with secrets', async () => {
    process.env['STRIPE_SECRET_KEY'] = 'sk_live_secret';
    try {
      await ensure();
    } finally {
      Reflect.deleteProperty(process.env, 'STRIPE_SECRET_KEY');
    }
    if (process.platform !== 'linux') return;
    const names = readFileSync(`/proc/${postmasterPid()}/environ`, 'utf8')
      .split('\0')
      .map((line) => line.split('=')[0]);
    const harmless = /^(?:PATH|TMPDIR|TMP|TEMP|LD_LIBRARY_PATH|LC_ALL|PG\w*|PWD|OLDPWD|SHLVL|_|)$/;
    expect(names).toContain('PATH');
    expect(names.filter((name) => !harmless.test(name ?? ''))).toEqual([]);
  });

  it('gives the product a role that owns its database and has no other right', async () => {
    const { url } = await ensure();
    const role = 'rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls';
    expect(await query(url, `select current_user as name, ${role} from pg_roles where rolname = current_user`)).toEqual(
      [
        {
          name: 'nova',
          rolsuper: false,
          rolcreatedb: false,
          rolcreaterole: false,
          rolreplication: false,
          rolbypassrls: false,
        },
      ],
    );
    for (const forbidden of [
      `copy (select 1) to program 'true'`,
      `copy (select 1) to '/tmp/nova-least-rights'`,
      `select pg_read_file('PG_VERSION')`,
      `alter system set fsync = off`,
      `create role other`,
      `set session_replication_role = replica`,
    ]) {
      await expect(query(url, forbidden)).rejects.toMatchObject({ code: '42501' });
    }
    await migrate(url, SCHEMA);
  });

  it('gives its role a folder that an earlier release made as the superuser, once', async () => {
    const first = await ensure();
    // As an earlier release left it: one role, the superuser, whose is all there is.
    await query(first.superuserUrl, `alter database nova owner to postgres; drop role nova`);
    await migrate(first.superuserUrl, SCHEMA);
    await query(
      first.superuserUrl,
      `create type mood as enum ('glad'); create domain word as text; create type pair as (a int, b int);
       create table kept (id serial primary key, n bigint generated always as identity, feeling mood, words word[]);
       create table parted (id int) partition by range (id); create table part partition of parted default;
       create view seen as select * from kept; create materialized view stored as select * from kept;
       create sequence numbers; create procedure done() language sql as 'select 1';
       create aggregate every_one(int) (sfunc = int4pl, stype = int);
       insert into kept (feeling) values ('glad')`,
    );
    await first.stop();

    const second = await ensure();
    const foreign = await query(
      second.superuserUrl,
      `select classid::regclass::text as kind, objid, pg_describe_object(classid, objid, 0) as what from pg_shdepend
       where dbid = (select oid from pg_database where datname = 'nova') and refobjid <> 'nova'::regrole and deptype = 'o'
       union all select 'class', oid, relname from pg_class
       where relowner <> 'nova'::regrole and relnamespace in (select oid from pg_namespace
         where nspname !~ '^pg_' and nspname <> 'information_schema')`,
    );
    expect(foreign).toEqual([]);
    await query(
      second.url,
      `alter table kept add more int; insert into kept (feeling) values ('glad'); refresh materialized view stored;
       alter type mood add value 'sad'; drop procedure done(); alter sequence numbers restart`,
    );
    expect(await query(second.url, 'select count(*)::int as rows from seen')).toEqual([{ rows: 2 }]);
    await migrate(second.url, SCHEMA);
    await second.stop();

    await ensure();
    expect(sentences.filter((sentence) => sentence.startsWith("Giving the database's role"))).toHaveLength(1);
  });

  it('gives its role what is restored as the superuser, while two start at once', async () => {
    const first = await ensure();
    await query(first.superuserUrl, 'create schema restored; create table restored.kept as select 42 as answer');
    const [second] = await Promise.all([ensure(), ensure()]);
    await query(second.url, 'alter table restored.kept add more int');
    expect(await query(second.url, 'select answer from restored.kept')).toEqual([{ answer: 42 }]);
  });

  it('leaves no password in its log where making the role fails', async () => {
    const server = await ensure();
    await query(server.superuserUrl, 'alter system set default_transaction_read_only = on');
    await server.stop();
    await expect(ensure()).rejects.toThrow(/read-only/);
    expect(readFileSync(path.join(dataDir, 'postgres.log'), 'utf8')).not.toMatch(/password '/i);
  });

  it('refuses a wrong password', async () => {
    const { url } = await ensure();
    const wrong = new URL(url);
    wrong.password = 'password';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
  });

  it('says in its log which statement failed, but none of its values', async () => {
    const { url } = await ensure();
    await query(url, 'create table person (email text primary key)');
    await query(url, `insert into person values (lower('ZOE@EXAMPLE.COM'))`);
    const again = query(url, `insert into person values (lower('ZOE@EXAMPLE.COM'))`);
    await expect(again).rejects.toMatchObject({ detail: expect.stringContaining('zoe@example.com') });
    const said = readFileSync(path.join(dataDir, 'postgres.log'), 'utf8');
    expect(said).toMatch(/ERROR: {2}duplicate key value .*\n.*STATEMENT: {2}insert into person/);
    expect(said).not.toContain('zoe@example.com');
  });

  it('gives two that start at once the same server, which the last one out ends', async () => {
    const [one, two] = await Promise.all([ensure(), ensure()]);
    expect(one.url).toBe(two.url);
    await one.stop();
    expect(await query(two.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await two.stop();
    expect(existsSync(pidFile())).toBe(false);
  });

  it('comes back by itself, with what was committed, after kill -9 of the server', async () => {
    const { url } = await ensure();
    await query(url, 'create table kept as select 42 as answer');
    process.kill(postmasterPid(), 'SIGKILL');
    await until(() =>
      query(url, 'select answer from kept').then(
        (rows) => rows[0]?.['answer'] === 42,
        () => false,
      ),
    );
  });

  it('tells its owner when the server dies again and again, who then leaves it to others', async () => {
    const reasons: Error[] = [];
    const lost = await ensure({ onLost: (reason) => reasons.push(reason) });
    for (let kills = 0; kills < 6; kills += 1) {
      await until(() => sentences.filter((sentence) => sentence.includes('runs again')).length === kills);
      process.kill(postmasterPid(), 'SIGKILL');
    }
    await until(() => reasons.length > 0);
    expect(reasons[0]?.message).toMatch(/ended 6 times within a minute/);
    const { url } = await ensure();
    const pid = postmasterPid();
    await lost.stop();
    expect([postmasterPid(), await query(url, 'select 1 as alive')]).toEqual([pid, [{ alive: 1 }]]);
  });

  it('starts over a stale postmaster.pid whose number belongs to another program now', async () => {
    await (await ensure()).stop();
    writeFileSync(pidFile(), `${process.pid}\n${path.dirname(pidFile())}\n0\n1\n`);
    const { url } = await ensure();
    expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    expect(sentences).toContainEqual(expect.stringContaining('stale postmaster.pid'));
  });

  it('takes another port when its own was taken meanwhile', async () => {
    const first = await ensure();
    await first.stop();
    const port = Number(new URL(first.url).port);
    const thief = createServer();
    await new Promise<void>((resolve) => void thief.listen(port, '127.0.0.1', resolve));
    try {
      const second = await ensure();
      expect(new URL(second.url).port).not.toBe(String(port));
      expect(await query(second.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    } finally {
      thief.close();
    }
  });

  it('begins again after a crash in the middle of creating the database', async () => {
    const draft = path.join(dataDir, 'postgres.draft-999999-abcdef');
    await mkdir(draft, { recursive: true });
    await writeFile(path.join(draft, 'PG_VERSION'), '18\n');
    await writeFile(`${draft}.password`, 'secret');
    await ensure();
    expect(readdirSync(dataDir).filter((name) => name.includes('draft'))).toEqual([]);
  });

  it('ends for good when it is stopped in the middle of coming back', async () => {
    const server = await ensure();
    process.kill(postmasterPid(), 'SIGKILL');
    await until(() => sentences.some((sentence) => sentence.includes('Starting it again')));
    await server.stop();
    await sleep(1_000);
    expect(existsSync(pidFile())).toBe(false);
  });

  it('says what to do when the password file is lost', async () => {
    await (await ensure()).stop();
    await rm(path.join(dataDir, 'postgres-password'));
    await expect(ensure()).rejects.toThrow(/password file .* is missing\. Restore it/);
  });
});

/** Only root meets this: as an ordinary user Postgres runs as oneself. */
const asRoot = process.getuid?.() === 0 ? describe : describe.skip;
asRoot('ensurePostgres as root', () => {
  it('keeps the database outside a home folder that the Postgres account may not enter', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'nova-home-'));
    const dataDir = path.join(home, 'clone', '.nova');
    const sentences: string[] = [];
    const server = await ensurePostgres({ dataDir, log: (sentence) => void sentences.push(sentence) });
    const base = readFileSync(path.join(dataDir, 'postgres-location'), 'utf8').trim();
    try {
      expect(sentences[0]).toContain(`The folder ${home} is closed to other accounts`);
      expect(existsSync(path.join(base, 'postgres', 'PG_VERSION'))).toBe(true);
      await server.stop();
      const again = await ensurePostgres({ dataDir, log: () => undefined });
      expect(again.url).toBe(server.url);
      await again.stop();
    } finally {
      await rm(base, { recursive: true, force: true });
      await rm(home, { recursive: true, force: true });
    }
  });
});
