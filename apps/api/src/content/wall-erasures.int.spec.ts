import { randomUUID } from 'node:crypto';
import { migrateUntilBefore } from '../../../../test/support/earlier-schema.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { migrate } from '../platform/database/data-source.js';
import { SCHEMA } from '../schema.js';

const OWNER = randomUUID();

describe('comments that were erased before it was kept which they were', () => {
  let database: TestDatabase;
  const query = (text: string, values: unknown[] = []) => database.pool.query(text, values);

  beforeAll(async () => {
    database = await createTestDatabase('wall_erasures');
    await migrateUntilBefore('wall_erasures', database, OWNER);
  });
  afterAll(() => database?.drop());

  it('are found by their payments, which have no words any more', async () => {
    const [kept, ...erased] = [randomUUID(), randomUUID(), randomUUID()];
    await query('create schema if not exists read');
    await query('create table read.wall (comment_id text not null, owner_id text not null)');
    await query('insert into read.wall select unnest($1::text[]), $2', [[kept, ...erased], OWNER]);
    await query(`insert into wall_comments (id, owner_id, commenter_id, comment) values ($1, $2, $3, 'hi')`, [
      kept,
      OWNER,
      randomUUID(),
    ]);
    await migrate(database.url, SCHEMA);
    const { rows } = await query('select comment_id, owner_id from wall_erasures order by comment_id');
    expect(rows).toEqual(erased.toSorted().map((comment_id) => ({ comment_id, owner_id: OWNER })));
  });
});
