import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { readModels } from './read-models.js';

/** Everything in the catalogs that distinguishes tables: columns, keys, indexes, room left in pages. */
const CATALOG = `
  select * from (
  select c.relname || coalesce(' with ' || array_to_string(c.reloptions, ', '), '') as line, c.relname, 0 as part, 0 as place
  from pg_class c where c.relnamespace = current_schema::regnamespace and c.relkind = 'r'
  union all
  select '  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || coalesce(' collate ' || l.collname, '')
    || case when a.attnotnull then ' not null' else '' end || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''),
    c.relname, 1, a.attnum
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_collation l on l.oid = a.attcollation left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = current_schema::regnamespace and c.relkind = 'r'
  union all
  select '  constraint ' || n.conname || ' ' || pg_get_constraintdef(n.oid), c.relname, 2, row_number() over (order by n.conname)
  from pg_class c join pg_constraint n on n.conrelid = c.oid and n.contype <> 'n' where c.relnamespace = current_schema::regnamespace
  union all
  select '  ' || replace(i.indexdef, current_schema || '.', ''), i.tablename, 3, row_number() over (order by i.indexname)
  from pg_indexes i where i.schemaname = current_schema) found
  order by relname collate "C", part, place`;

describe('tables of read models', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('tables');
  });
  afterAll(() => database?.drop());

  it.each(readModels.map((model) => [model.name, model] as const))(
    '%s are as installations have them',
    async (_, model) => {
      const client = await database.pool.connect();
      try {
        await client.query(`create schema of_${model.name}; set search_path to of_${model.name}`);
        await client.query(model.ddl);
        await client.query(model.indexes);
        const { rows } = await client.query<{ line: string; relname: string; part: number }>(CATALOG);
        expect(rows.filter(({ part }) => part === 0).map(({ relname }) => relname)).toEqual(model.tables.toSorted());
        expect(rows.map(({ line }) => line).join('\n')).toMatchSnapshot();
      } finally {
        await client.query('reset search_path');
        client.release();
      }
    },
  );
});
