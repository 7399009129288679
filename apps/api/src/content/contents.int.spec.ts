import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { migrateUntilBefore } from '../../../../test/support/earlier-schema.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { SCHEMA } from '../schema.js';
import { migrate } from '../platform/database/data-source.js';
import { Contents } from './contents.js';

const OWNER = randomUUID();

describe('removals of content that were cut off', () => {
  let database: TestDatabase;
  const query = async (sql: string, values: unknown[] = []) => (await database.pool.query(sql, values)).rows;
  const content = async (removedAt: string): Promise<string> => {
    const id = randomUUID();
    await query(
      `insert into contents (id, owner_id, surface, content_type, file_id, media_type, media_url, removed_at)
       values ($1, $2, 'feed', 'image', $1, 'image/jpeg', '', ${removedAt})`,
      [id, OWNER],
    );
    return id;
  };
  const found = async () => (await new Contents(database.pool).halfRemoved(10)).map(({ id }) => id);

  beforeAll(async () => {
    database = await createTestDatabase('contents');
    await migrateUntilBefore('contents_removing', database, OWNER);
  });
  afterAll(() => database?.drop());

  it('are found also where an earlier version was cut off', async () => {
    const [withFile, withRow] = [await content(`now() - interval '1 day'`), await content('null')];
    await content('now()');
    await content('null');
    await query(`insert into uploads (id, member_id, purpose, expires_at) values ($1, $2, 'content', now())`, [
      withFile,
      OWNER,
    ]);
    await query('create schema if not exists read');
    await query('create table read.posts (content_id text primary key, removed boolean not null)');
    await query('insert into read.posts select id::text, id = $1 from contents', [withRow]);
    await migrate(database.url, SCHEMA);
    expect(await found()).toEqual([withFile]);
    await query(`update contents set removing_at = removing_at - interval '1 minute'`);
    expect(await found()).toEqual([withFile, withRow]);
    await new Contents(database.pool).endRemoval(withRow);
    expect(await found()).toEqual([withFile]);
  });

  it('are left to whoever began within the last minute', async () => {
    const [id, contents] = [await content('null'), new Contents(database.pool)];
    expect([await contents.beginRemoval(id), await contents.beginRemoval(id)]).toEqual([true, false]);
    expect(await found()).not.toContain(id);
  });

  it('are found without looking through everything that was ever shown', async () => {
    await query(
      `insert into contents (id, owner_id, surface, content_type, file_id, media_type, media_url, removed_at)
       select gen_random_uuid(), $1, 'feed', 'image', gen_random_uuid(), 'image/jpeg', '', case when n % 2 = 0 then now() end
       from generate_series(1, 10000) n`,
      [OWNER],
    );
    await query('insert into read.posts select id::text, removed_at is not null from contents on conflict do nothing');
    await query('analyze contents, read.posts');
    const explained = {
      query: (sql: string, values: unknown[]) => database.pool.query(`explain ${sql}`, values),
    } as unknown as Pool;
    const plan = JSON.stringify(await new Contents(explained).halfRemoved(500));
    expect(plan).toContain('contents_removing');
    expect(plan).not.toContain('Seq Scan');
  });
});
