import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { createDataSource } from './database/data-source.js';
import { createLogger } from './logging.js';

describe('the log of an error', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase('logging')));
  afterAll(() => database?.drop());

  function logged(err: unknown): Record<string, unknown> {
    let line = '';
    createLogger('warn', { write: (text) => void (line += text) }).warn({ err }, 'a part was unavailable');
    return (JSON.parse(line) as { err: Record<string, unknown> }).err;
  }

  it('tells which statement failed and why, but none of its values', async () => {
    const dataSource = await createDataSource(database.url, { entities: [], areas: [] }).initialize();
    try {
      await dataSource.query('create table person (email text primary key, name text not null)');
      const add = 'insert into person values ($1, $2)';
      const failure = async (values: unknown[]) => logged(await dataSource.query(add, values).catch((e: unknown) => e));
      await dataSource.query(add, ['zoe@example.com', 'Zoe']);
      const [twice, nameless] = [await failure(['zoe@example.com', 'Zoe']), await failure(['ada@example.com', null])];
      expect(twice).toMatchObject({ type: 'QueryFailedError', code: '23505', constraint: 'person_pkey', query: add });
      expect(nameless).toMatchObject({ code: '23502', column: 'name', message: expect.stringContaining('null value') });
      expect(nameless['stack']).toContain('logging.int.spec.ts');
      expect(JSON.stringify([twice, nameless])).not.toMatch(/example\.com|Zoe/);
    } finally {
      await dataSource.destroy();
    }
  });

  it('tells of each of several', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', secret: 'token' });
    const { aggregateErrors } = logged(new AggregateError([refused]));
    expect(aggregateErrors).toEqual([expect.objectContaining({ code: 'ECONNREFUSED', message: refused.message })]);
    expect(JSON.stringify(aggregateErrors)).not.toContain('token');
  });
});
