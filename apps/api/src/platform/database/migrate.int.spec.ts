import { somebodyWaitsFor } from '../../../../../test/support/standing-table.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { eventually } from '../../../../../test/support/eventually.js';
import { migrate } from './data-source.js';

jest.setTimeout(60_000);

describe('a migration of a table that somebody reads for long, as a backup does', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase('migrate');
  });
  afterEach(() => database.drop());

  it('holds nobody else up, and is done once the table is free', async () => {
    const made = { name: 'made', sql: 'create table things (id integer)' };
    const wider = { name: 'wider', sql: 'alter table things add name text' };
    const schema = (...migrations: { name: string; sql: string }[]) => ({
      entities: [],
      areas: [{ area: 'things', order: 1, migrations }],
    });
    await migrate(database.url, schema(made));
    const backup = await database.pool.connect();
    const said: string[] = [];
    try {
      await backup.query('begin; select from things');
      const migrating = migrate(database.url, schema(made, wider), (line) => said.push(line));
      await somebodyWaitsFor(database.pool, 'things');
      await database.pool.query('select from things');
      await eventually(() => said.length > 0);
      await backup.query('commit');
      await migrating;
    } finally {
      backup.release(true);
    }
    expect(said).toEqual([
      'Waiting for a table that is in use, by a backup for instance, to bring it up to date',
      'Database brought up to date: 1 migrations',
    ]);
    await database.pool.query('select name from things');
  });
});
