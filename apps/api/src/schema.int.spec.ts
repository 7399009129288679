import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { migrate } from './platform/database/data-source.js';
import { AREA_TABLES, SCHEMA } from './schema.js';

/** Columns that hold, or may hold, an account's id. */
const OF_ACCOUNTS =
  /^(?:account|admin|commenter|first|followed|follower|host|initiator|member|owner|rated|rater|reported|reporter|second|sender|user)_ids?$|_by$/;

describe('the schema', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('schema');
    await migrate(database.url, SCHEMA);
  });
  afterAll(() => database.drop());

  const names = async (sql: string): Promise<string[]> =>
    (await database.pool.query<{ name: string }>(sql)).rows.map(({ name }) => name);

  it('has no table and no view that no area owns', async () => {
    const tables = await names(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
    );
    expect(tables.toSorted()).toEqual(AREA_TABLES.flatMap((area) => Object.keys(area.tables)).toSorted());
    const views = await names(`select viewname as name from pg_views where schemaname = 'public'`);
    expect(views.toSorted()).toEqual(
      AREA_TABLES.flatMap(({ directories = [], views: own = [] }) => [...directories, ...own]).toSorted(),
    );
  });

  it('says of every table with ids of accounts what becomes of them when one is erased', async () => {
    const nobodys = AREA_TABLES.flatMap(({ tables }) =>
      Object.entries(tables).flatMap(([name, rule]) => (rule === 'nobody' ? [name] : [])),
    );
    const columns = await names(
      `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
    );
    const referring = await names(
      `select conrelid::regclass::text as name from pg_constraint where confrelid = 'accounts'::regclass`,
    );
    expect(referring.length).toBeGreaterThan(5);
    expect(referring.filter((name) => nobodys.includes(name))).toEqual([]);
    expect(
      columns.filter((name) => {
        const [table = '', column = ''] = name.split('.');
        return nobodys.includes(table) && OF_ACCOUNTS.test(column);
      }),
    ).toEqual([]);
  });

  it('lets the rows of every account be erased, of nobody as well', async () => {
    const id = '00000000-0000-7000-8000-000000000000';
    for (const { tables } of AREA_TABLES) {
      for (const rule of Object.values(tables)) {
        if (rule === 'nobody' || !('erase' in rule)) continue;
        for (const sql of rule.erase) if (!sql.includes('read.')) await database.pool.query(sql, [id]);
      }
    }
  });
});
