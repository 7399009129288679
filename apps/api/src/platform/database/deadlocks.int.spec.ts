import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { openDataSource, poolOf } from './data-source.js';
import { inTransaction } from './in-transaction.js';

describe('work that waits for another in a circle', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase('deadlocks');
    dataSource = await openDataSource(database.url, { entities: [], areas: [] });
    pool = poolOf(dataSource);
    await pool.query('create table counts (id int primary key, n int not null)');
  });
  beforeEach(() => pool.query('truncate counts; insert into counts values (1, 0), (2, 0)'));
  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  type Run = (sql: string) => Promise<unknown>;
  const raise = (id: number): string => `update counts set n = n + 1 where id = ${id};`;
  const bothRows = (first: number, second: number) => async (run: Run) => {
    await run(raise(first));
    await run('select pg_sleep(0.3)');
    await run(raise(second));
  };
  const KINDS: Readonly<Record<string, (first: number, second: number) => Promise<unknown>>> = {
    'a statement': (first, second) =>
      pool.query(`do $$ begin ${raise(first)} perform pg_sleep(0.3); ${raise(second)} end $$`),
    'a transaction': (...rows) => inTransaction(pool, (client) => bothRows(...rows)((sql) => client.query(sql))),
    'a transaction of entities': (...rows) =>
      dataSource.transaction((manager) => bothRows(...rows)((sql) => manager.query(sql))),
  };

  it.each(Object.entries(KINDS))('is done all the same: %s', async (_, raiseBoth) => {
    await Promise.all([raiseBoth(1, 2), raiseBoth(2, 1)]);
    const { rows } = await pool.query<{ n: number }>('select n from counts order by id');
    expect(rows.map(({ n }) => n)).toEqual([2, 2]);
  });
});
