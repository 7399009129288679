import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EventStore, MemoryEventStore } from '@app/event-store';
import pg from 'pg';
import { documentedSql } from '../../../../test/support/documented-sql.js';
import { onServer, serverUrl } from '../../../../test/support/postgres.js';
import { FolderPlace } from '../backup/backup-place.js';
import { makeBackup } from '../backup/make-backup.js';
import { restoreBackup } from '../backup/restore-backup.js';
import { migrate, openDataSource } from '../platform/database/data-source.js';
import { checkRights } from '../platform/database/database-rights.js';
import { Explained } from '../platform/errors/explained.js';
import { openStore } from '../platform/journal/open-store.js';
import { SCHEMA } from '../schema.js';
import { UsageError } from './cli-arguments.js';
import { asJournalOwner, prepareFromTerminal, requireJournalOwned } from './journal-owner.js';
import { moveJournal } from './move-journal.js';

jest.setTimeout(60_000);

const [TWO_ROLES = [], IN_DATABASE = [], CHANGE_OVER = []] = documentedSql('A role that owns the journal');
const [ONE_ROLE = []] = documentedSql('A Postgres of your own');
const event = () => ({ id: crypto.randomUUID(), type: 'Said', data: '{}', metadata: '{"hash":"x"}' });

/** What `docs/postgres.md` tells about a journal with an owner of its own. */
describe('a role that owns the journal', () => {
  let name: string;
  let settings: { databaseUrl: string; databaseOwnerUrl: string; eventStoreUrl: undefined };
  /** Of the administrator. */
  let inDatabase: pg.Pool;

  const address = (role?: string, password = ''): string => {
    const url = new URL(serverUrl());
    url.pathname = `/${name}`;
    if (role) Object.assign(url, { username: role, password: encodeURIComponent(password) });
    return url.href;
  };
  const named = (statements: readonly string[]): string[] =>
    statements.map((statement) => statement.replaceAll(/\bnova(_owner)?\b/g, (_, owner = '') => `${name}${owner}`));

  beforeEach(() => {
    name = `nova_owned_${randomBytes(6).toString('hex')}`;
    settings = {
      databaseUrl: address(name, 'a long random one'),
      databaseOwnerUrl: address(`${name}_owner`, 'another long random one'),
      eventStoreUrl: undefined,
    };
    inDatabase = new pg.Pool({ connectionString: address(), max: 1 });
    inDatabase.on('error', () => undefined);
  });
  afterEach(async () => {
    await inDatabase.end();
    await onServer(
      `drop database if exists ${name} with (force)`,
      `drop role if exists ${name}_owner`,
      `drop role if exists ${name}`,
    );
  });

  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of named(statements)) await inDatabase.query(statement);
  };
  const makeTwoRoles = async (): Promise<void> => {
    await onServer(...named(TWO_ROLES));
    await run(IN_DATABASE);
  };
  const openAsServer = (): Promise<EventStore> => openStore(settings);
  const sentence = (): string =>
    `The journal belongs to ${name}_owner and is up to date. ${name} may only read it and append.`;

  /** What a start does until it opens the journal, then the journal. */
  const startAsServer = async (): Promise<EventStore> => {
    await migrate(settings.databaseUrl, SCHEMA);
    const dataSource = await openDataSource(settings.databaseUrl, SCHEMA);
    try {
      await checkRights(dataSource, () => undefined);
    } finally {
      await dataSource.destroy();
    }
    return openAsServer();
  };
  const asServer = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: settings.databaseUrl });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };

  it('makes the journal for servers that may append, and brings it up to date', async () => {
    expect([TWO_ROLES.length, IN_DATABASE.length]).toEqual([5, 1]);
    await makeTwoRoles();
    await expect(prepareFromTerminal(settings)).resolves.toBe(sentence());
    const store = await startAsServer();
    await store.append('ledger', [event()], 'none');
    await store.close();
    await expect(asServer('delete from journal.events')).rejects.toThrow('permission denied');
    await expect(asServer(`drop database ${name}`)).rejects.toThrow('must be owner');
    await expect(asServer(`set role ${name}_owner`)).rejects.toThrow('permission denied');

    await inDatabase.query(`delete from journal.migrations where name = '0006-append-as-owner'`);
    const opening = openAsServer();
    await expect(opening).rejects.toBeInstanceOf(Explained);
    await expect(opening).rejects.toThrow(
      `The journal in Postgres is not up to date: it belongs to the role ${name}_owner and lacks 0006-append-as-owner. ` +
        'Run `npm run -s ledger -- prepare` with DATABASE_OWNER_URL first: docs/postgres.md (A role that owns the journal).',
    );
    await expect(prepareFromTerminal(settings)).resolves.toBe(sentence());
    await (await openAsServer()).close();
  });

  it('takes over the journal of an installation that had one role', async () => {
    await onServer(...named(ONE_ROLE));
    const before = await startAsServer();
    await before.append('ledger', [event()], 'none');
    await before.close();
    await run(CHANGE_OVER);
    await expect(prepareFromTerminal(settings)).resolves.toBe(sentence());
    const store = await startAsServer();
    await store.append('ledger', [event()], 0);
    await store.close();
    await expect(asServer('delete from journal.events')).rejects.toThrow('permission denied');
    // What a rebuild and a later release need.
    await asServer('create schema rebuilt; create table rebuilt.rows (); create table public.later ()');
  });

  it('is in a backup of the servers, and a restore gives it back to its owner', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'nova-owned-'));
    const place = new FolderPlace(folder);
    const { databaseUrl, databaseOwnerUrl } = settings;
    const restore = (backup: string) =>
      restoreBackup({ ...settings, place, name: backup, dataDir: folder, schema: SCHEMA, log: () => undefined });
    await makeTwoRoles();
    await prepareFromTerminal(settings);
    const store = await startAsServer();
    const said = event();
    await store.append('ledger', [said], 'none');
    await store.close();
    const keep = { days: 1, weeks: 1, months: 1 };
    const made = await makeBackup({
      databaseUrl,
      place,
      dataDir: folder,
      eventStoreUrl: undefined,
      withSecrets: false,
      keep,
    });
    const makeAnew = async (): Promise<void> => {
      const [, , ...database] = named(TWO_ROLES);
      await onServer(`drop database ${name} with (force)`, ...database);
      await run(IN_DATABASE);
    };

    await makeAnew();
    await restore(made.name);
    const restored = await openAsServer();
    expect((await restored.head('ledger'))?.id).toBe(said.id);
    await restored.append('ledger', [event()], 0);
    await restored.close();
    await expect(asServer('delete from journal.events')).rejects.toThrow('permission denied');

    // Prepared, and restored without its owner.
    await makeAnew();
    await prepareFromTerminal({ databaseUrl, databaseOwnerUrl, eventStoreUrl: undefined });
    const withoutOwner = restoreBackup({
      place,
      name: made.name,
      databaseUrl,
      dataDir: folder,
      schema: SCHEMA,
      log: () => undefined,
    });
    await expect(withoutOwner).rejects.toThrow('set DATABASE_OWNER_URL for this restore');
    await expect(withoutOwner).rejects.toBeInstanceOf(Explained);
    await restore(made.name);
    rmSync(folder, { recursive: true });
  });

  it('moves the journal to an event store, which the servers’ role cannot', async () => {
    await makeTwoRoles();
    await prepareFromTerminal(settings);
    const from = await startAsServer();
    await from.append('ledger', [event()], 'none');
    const to = new MemoryEventStore();
    const server = new pg.Pool({ connectionString: settings.databaseUrl, max: 1 });
    try {
      await expect(requireJournalOwned(server)).rejects.toThrow(
        new UsageError(`The journal belongs to the role ${name}_owner: move-journal needs DATABASE_OWNER_URL.`),
      );
      await expect(moveJournal({ from, to, pool: server })).rejects.toThrow('permission denied');
      await expect(asJournalOwner(settings, ({ pool }) => moveJournal({ from, to, pool }))).resolves.toBe(1);
    } finally {
      await server.end();
      await from.close();
      await to.close();
    }
    const { rows } = await inDatabase.query(`select nspname from pg_namespace where nspname like 'journal%'`);
    expect(rows).toEqual([{ nspname: 'journal_moved' }]);
  });

  it.each([
    ['alter role NAME_owner superuser', /^The role \w+_owner of DATABASE_OWNER_URL is a superuser/],
    ['alter role NAME superuser', /^The role \w+ can become \w+_owner: it is a superuser/],
    ['alter role NAME createrole', /^The role \w+ can become \w+_owner: .*may create roles/],
    ['alter database NAME owner to NAME', /^The database belongs to \w+, which can drop it/],
    ['grant pg_execute_server_program to NAME', /^The role \w+ can become \w+_owner: .*server's files/],
    ['grant pg_write_all_data to NAME', /^The role \w+ may change journal\.\w+ by another role/],
    ['revoke NAME from NAME_owner', /^The role \w+_owner of DATABASE_OWNER_URL must be a member of \w+:/],
    ['alter role NAME_owner nologin', /^The database that DATABASE_OWNER_URL names cannot be used: /],
    ['alter role NAME nologin', /^The database that DATABASE_URL names cannot be used: /],
  ])('is refused where it would keep nothing: %s', async (statement, told) => {
    await makeTwoRoles();
    await inDatabase.query(statement.replaceAll('NAME', name));
    const preparing = prepareFromTerminal(settings);
    await expect(preparing).rejects.toThrow(told);
    await expect(preparing).rejects.toBeInstanceOf(Explained);
    await expect(preparing).rejects.toThrow(/docs\/postgres\.md|cannot be used/);
    const { rows } = await inDatabase.query(`select from pg_namespace where nspname = 'journal'`);
    expect(rows).toEqual([]);
  });

  it('is refused where a journal is another role’s, a table is in use, or the addresses do not fit', async () => {
    await makeTwoRoles();
    await inDatabase.query('create schema journal');
    await expect(prepareFromTerminal(settings)).rejects.toThrow(
      /^The role of DATABASE_OWNER_URL lacks a right: must be owner of schema journal\. docs/,
    );
    await inDatabase.query('drop schema journal');

    await (await openAsServer()).close();
    const backup = await inDatabase.connect();
    await backup.query('begin; select from journal.events');
    await expect(prepareFromTerminal(settings)).rejects.toThrow(/^A table of the journal is in use/);
    await backup.query('rollback');
    backup.release();
    await expect(prepareFromTerminal(settings)).resolves.toBe(sentence());

    const elsewhere = address(`${name}_owner`, 'another long random one').replace(/\/\w+$/, '/postgres');
    await expect(prepareFromTerminal({ ...settings, databaseOwnerUrl: elsewhere })).rejects.toThrow(
      'DATABASE_URL and DATABASE_OWNER_URL name two databases.',
    );
    await expect(prepareFromTerminal({ ...settings, databaseOwnerUrl: settings.databaseUrl })).rejects.toThrow(
      `DATABASE_URL and DATABASE_OWNER_URL both name the role ${name}: `,
    );
    const { databaseUrl } = settings;
    await expect(
      prepareFromTerminal({ databaseUrl, databaseOwnerUrl: undefined, eventStoreUrl: undefined }),
    ).rejects.toBeInstanceOf(UsageError);
    await expect(prepareFromTerminal({ ...settings, eventStoreUrl: 'esdb://a' })).resolves.toBe(
      'The journal is where EVENTSTORE_URL points. There is none to prepare in Postgres.',
    );
  });
});
