import pg from 'pg';
import { hasPgBouncer, PgBouncer } from '../../../../../test/support/pgbouncer.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { lookForPooler } from './pooler.js';

if (!hasPgBouncer) process.stderr.write('  Skipped: poolers, because there is no program pgbouncer.\n');

describe('a pooler before Postgres', () => {
  let database: TestDatabase;
  const poolers: PgBouncer[] = [];
  beforeAll(async () => {
    database = await createTestDatabase('pooler');
  });
  afterAll(async () => {
    for (const pooler of poolers) await pooler.stop();
    await database.drop();
  });

  async function look(connectionString: string): Promise<string | undefined> {
    const pool = new pg.Pool({ connectionString, max: 2 });
    try {
      return await lookForPooler(pool);
    } finally {
      await pool.end();
    }
  }

  async function pgBouncer(mode: string): Promise<string> {
    const pooler = await PgBouncer.before(database.url, { pool_mode: mode });
    poolers.push(pooler);
    return pooler.url;
  }

  it('is not seen where there is none', async () => {
    expect(await look(database.url)).toBeUndefined();
  });

  if (hasPgBouncer) {
    it('is told of while it keeps sessions whole', async () => {
      expect(await look(await pgBouncer('session'))).toContain('must hold all connections of each server');
    });

    it.each(['transaction', 'statement'])('is refused where it shares them: %s', async (mode) => {
      await expect(look(await pgBouncer(mode))).rejects.toThrow(
        'a pooler that shares connections between transactions',
      );
    });
  }
});
