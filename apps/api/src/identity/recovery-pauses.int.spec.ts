import { migrateUntilBefore } from '../../../../test/support/earlier-schema.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { migrate } from '../platform/database/data-source.js';
import { SCHEMA } from '../schema.js';
import { recoveryHash } from './account-secrets.js';

describe('attempts at recovery that an earlier version counted', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase('recovery')));
  afterAll(() => database?.drop());

  it('stay counted, a lock as the first pause, and those of addresses without an account go', async () => {
    const { pool, url } = database;
    await migrateUntilBefore('recovery_pauses', database, '00000000-0000-7000-8000-000000000001');
    await pool.query(`
      insert into accounts (id, email, email_key, display_name, name_key, password_hash, pin_hash, tc_version, tc_accepted_at)
      values (gen_random_uuid(), 'Zoë@example.com', 'zoë@example.com', '', '', '', '', '1.0', now())`);
    const add =
      'insert into recovery_attempts (email_hash, failures, locked_until, updated_at) values ($1, $2, $3, $4)';
    const [now, soon] = [new Date(), new Date(Date.now() + 30 * 60_000)];
    await pool.query(add, [recoveryHash(''), 3, null, now]);
    await pool.query(add, [recoveryHash('zoë@example.com'), 5, soon, now]);
    await pool.query(add, [recoveryHash('nobody@example.com'), 5, soon, now]);

    await migrate(url, SCHEMA);

    const { rows } = await pool.query(
      'select email_hash, failures, locked_until, pauses from recovery_attempts order by failures',
    );
    expect(rows).toEqual([
      { email_hash: recoveryHash(''), failures: 3, locked_until: null, pauses: [] },
      {
        email_hash: recoveryHash('zoë@example.com'),
        failures: 5,
        locked_until: soon,
        pauses: [new Date(soon.getTime() - 60 * 60_000)],
      },
    ]);
  });
});
