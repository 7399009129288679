import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { prepareFromTerminal } from '../../apps/api/src/finance/journal-owner.js';
import { Explained } from '../../apps/api/src/platform/errors/explained.js';
import { startTestApi } from '../support/api.js';
import { documentedSql } from '../support/documented-sql.js';
import { eventually } from '../support/eventually.js';
import { onServer, serverUrl, type TestDatabase } from '../support/postgres.js';

const IDLE_MS = 1_000;
/** First for a role that owns its database, then for one that does not. */
const GRANTS = documentedSql('A Postgres of your own');
/** On the server, then in the database. */
const TWO_ROLES = documentedSql('A role that owns the journal');

const NO_RIGHT = /^The role of DATABASE_URL lacks a right: .*(?:denied|belongs to|no schema).*\. docs\/postgres\.md/;

/** What `docs/postgres.md` tells the administrator of a Postgres, and how a server with fewer rights reports that. */
describe('the rights of the database role', () => {
  let name: string;
  let database: TestDatabase;

  /** Statements of the page, for the roles and the database of this test. */
  const named = (statements: readonly string[] = []): string[] =>
    statements.map((statement) => statement.replaceAll(/\bnova(_owner)?\b/g, (_, owner = '') => `${name}${owner}`));

  beforeEach(() => {
    name = `nova_rights_${randomBytes(6).toString('hex')}`;
    const url = new URL(serverUrl());
    Object.assign(url, { username: name, password: encodeURIComponent('a long random one'), pathname: `/${name}` });
    const pool = new pg.Pool({ connectionString: inDatabase(), max: 2 });
    pool.on('error', () => undefined);
    database = {
      url: url.href,
      pool,
      async drop() {
        await pool.end();
        await onServer(
          `drop database if exists ${name} with (force)`,
          `drop role if exists ${name}_owner`,
          `drop role if exists ${name}`,
        );
      },
    };
  });
  afterEach(() => database.drop());

  /** The administrator's own connection to the database. */
  const inDatabase = (): string => {
    const url = new URL(serverUrl());
    url.pathname = `/${name}`;
    return url.href;
  };

  /** The second block of the page: the role owns nothing, but has the rights that it needs. */
  const prepareUnowned = async (without?: RegExp): Promise<void> => {
    const [role = '', ...grants] = named(GRANTS[1]);
    await onServer(role, `create database ${name}`, `revoke all on database ${name} from public`);
    for (const grant of grants.filter((statement) => !without?.test(statement))) await database.pool.query(grant);
  };

  /** The journal belongs to another role, and the database as well. */
  const prepareAppending = async (): Promise<void> => {
    await onServer(...named(TWO_ROLES[0]));
    for (const grant of named(TWO_ROLES[1])) await database.pool.query(grant);
    const owner = Object.assign(new URL(database.url), {
      username: `${name}_owner`,
      password: 'another long random one',
    });
    const databaseOwnerUrl = owner.href;
    await prepareFromTerminal({ databaseUrl: database.url, databaseOwnerUrl, eventStoreUrl: undefined });
  };

  const start = async (): Promise<void> => (await startTestApi({ database })).close();

  it.each(['owns its database', 'owns nothing', 'may only append to the journal'])(
    'are enough, as they are documented, for a role that %s',
    async (which) => {
      expect(GRANTS).toHaveLength(2);
      const owns = which !== 'may only append to the journal';
      if (!owns) await prepareAppending();
      else if (which === 'owns nothing') await prepareUnowned();
      else await onServer(...named(GRANTS[0]));
      const said: string[] = [];
      const api = await startTestApi({ database, log: (line) => said.push(line) });
      try {
        const { browser } = await api.member();
        expect((await browser.get('/api/auth/user')).status).toBe(200);
      } finally {
        await api.close();
      }
      expect(said.join('\n')).not.toContain('superuser');
      const { rows } = await database.pool.query<{ owner: string }>(
        `select distinct pg_get_userbyid(relowner) as owner from pg_class
       where relkind = 'r' and relnamespace in ('public'::regnamespace, 'journal'::regnamespace, 'read'::regnamespace)
       order by 1`,
      );
      expect(rows).toEqual([{ owner: name }, ...(owns ? [] : [{ owner: `${name}_owner` }])]);
    },
  );

  it.each([
    ['create on the database', /on database/, NO_RIGHT],
    ['create on the schema public', /on schema/, NO_RIGHT],
  ])('that lack %s stop the start with a sentence', async (_right, without, sentence) => {
    await prepareUnowned(without);
    await database.pool.query(`grant connect on database ${name} to ${name}`);
    const starting = start();
    await expect(starting).rejects.toThrow(sentence);
    await expect(starting).rejects.toBeInstanceOf(Explained);
  });

  it('that do not let the role in stop the start with a sentence', async () => {
    await prepareUnowned(/on database/);
    await expect(start()).rejects.toThrow(
      `The database that DATABASE_URL names cannot be used: permission denied for database "${name}".`,
    );
  });

  it.each([
    [`alter table accounts owner to current_user`, NO_RIGHT],
    [`alter table journal.events owner to current_user`, NO_RIGHT],
    [`revoke usage on schema public from public, NAME`, NO_RIGHT],
    [
      `alter role NAME set default_transaction_read_only = on`,
      /^The database that DATABASE_URL names can only be read/,
    ],
  ])('that are gone at the next start stop it with a sentence: %s', async (statement, sentence) => {
    await prepareUnowned();
    await start();
    await database.pool.query(statement.replace('NAME', name));
    const starting = start();
    await expect(starting).rejects.toThrow(sentence);
    await expect(starting).rejects.toBeInstanceOf(Explained);
  });

  it('that are withdrawn while it runs are answered with 503, and all goes on once they are back', async () => {
    await prepareUnowned();
    const api = await startTestApi({ database });
    try {
      const { email, password, browser } = await api.member();
      const other = await api.member();
      const signIn = () =>
        api.browser().post('/api/auth/signin', { email, password, tcConsent: true, tcVersion: '1.0' });
      for (const table of ['accounts', 'sessions', 'journal.events']) {
        await database.pool.query(`alter table ${table} owner to current_user`);
        // An idle server checks the journal in the meantime.
        await pause(IDLE_MS);
        const profile = { displayName: `Renamed ${table}` };
        const answers = [
          await signIn(),
          await browser.get('/api/nova/balance'),
          await browser.send('PATCH', '/api/profile', { body: profile }),
          await browser.post(`/api/users/${other.id}/follow`),
          await browser.delete(`/api/users/${other.id}/follow`),
        ];
        expect([table, ...answers.map(({ status }) => status)]).toContain(503);
        for (const { status, body } of answers.filter((answer) => answer.status >= 400)) {
          expect([table, status, body.code]).toEqual([table, 503, 'UNAVAILABLE']);
        }
        await database.pool.query(`alter table ${table} owner to ${name}`);
        await eventually(async () => (await signIn()).status === 200);
      }
    } finally {
      await api.close();
    }
  });

  it('that are a superuser’s are worth a warning', async () => {
    await onServer(
      `create role ${name} superuser login password 'a long random one'`,
      `create database ${name} owner ${name}`,
    );
    const said: string[] = [];
    await (await startTestApi({ database, log: (line) => said.push(line) })).close();
    expect(said).toContainEqual(expect.stringMatching(new RegExp(`^Warning: the role ${name} .* is a superuser`)));
  });
});
