import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openPool } from '@app/event-store';
import type pg from 'pg';
import { eventually } from '../../../../../test/support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { openDataSource, poolOf } from './data-source.js';
import { inTransaction } from './in-transaction.js';

interface Opened {
  readonly pool: pg.Pool;
  readonly close: () => Promise<void>;
}

const POOLS: Readonly<Record<string, (url: string) => Promise<Opened>>> = {
  'the pool of TypeORM': async (url) => {
    const dataSource = await openDataSource(url, { entities: [], areas: [] });
    return { pool: poolOf(dataSource), close: () => dataSource.destroy() };
  },
  'a pool of our own': async (connectionString) => {
    const pool = openPool({ connectionString, max: 2 });
    return { pool, close: () => pool.end() };
  },
};

describe.each(Object.entries(POOLS))('a connection of %s', (_, open) => {
  let database: TestDatabase;
  let opened: Opened;
  beforeEach(async () => {
    database = await createTestDatabase('broken');
    opened = await open(database.url);
  });
  afterEach(async () => {
    await opened.close();
    await database.drop();
  });

  const end = async (pid: number | undefined): Promise<void> => {
    await database.pool.query('select pg_terminate_backend($1)', [pid]);
    await eventually(async () => {
      const { rowCount } = await database.pool.query('select from pg_stat_activity where pid = $1', [pid]);
      return rowCount === 0;
    });
  };
  const pidOf = async (client: Pick<pg.ClientBase, 'query'>): Promise<number | undefined> =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

  it('that breaks between two statements of a transaction fails the transaction, and nothing else', async () => {
    const work = inTransaction(opened.pool, async (client) => {
      await end(await pidOf(client));
      await client.query('select 1');
    });
    await expect(work).rejects.toThrow();
    await expect(pidOf(opened.pool)).resolves.toBeGreaterThan(0);
  });

  it('that breaks under a statement of a transaction fails the transaction, and nothing else', async () => {
    const work = inTransaction(opened.pool, async (client) => {
      const pid = await pidOf(client);
      await Promise.all([client.query('select pg_sleep(30)'), end(pid)]);
    });
    await expect(work).rejects.toThrow();
    await expect(pidOf(opened.pool)).resolves.toBeGreaterThan(0);
  });

  it('that breaks while nobody has it is made anew', async () => {
    await end(await pidOf(opened.pool));
    await eventually(() => opened.pool.totalCount === 0);
    await expect(pidOf(opened.pool)).resolves.toBeGreaterThan(0);
  });
});

test('no pool is opened any other way', () => {
  const sources = ['apps/api/src', 'libs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.posix.join(folder, file)),
  );
  const opening = sources.filter(
    (file) => /(?<!spec|suite)\.ts$/.test(file) && /new (?:pg\.)?Pool\(/.test(readFileSync(file, 'utf8')),
  );
  expect(opening).toEqual(['libs/event-store/src/postgres/open-pool.ts']);
});
