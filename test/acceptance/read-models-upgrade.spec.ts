import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readModels } from '../../libs/projections/src/index.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(180_000);

/** An upgraded installation: its read models are of another release, and rebuilding them takes time. */
describe('a start on read models of another release', () => {
  let database: TestDatabase;
  let before: TestApi;
  let member: TestMember;
  let admin: TestMember;

  beforeAll(async () => {
    database = await createTestDatabase('upgrade');
    ({ api: before, admin } = await signInAdmin(startTestApi, { database }));
    member = await before.member();
    await grantNova(admin, member.id, 5_000);
    await member.browser.post('/api/gifts/send', { recipientId: admin.id, amount: 1_000 });
    await before.close();
  });
  afterAll(() => database?.drop());

  /** Every GET call without one that never ends; ids stand for nothing. */
  async function getCalls(api: TestApi): Promise<string[]> {
    const { paths } = (await api.browser().get('/api/openapi.json')).body as { paths: Record<string, object> };
    return Object.entries(paths)
      .filter(([, item]) => 'get' in item)
      .map(([path]) => path.replaceAll(/\{\w+\}/g, () => randomUUID()));
  }

  it.each([
    ['has no tables', (table: string) => `drop table read.${table}`],
    ['has a column less', (table: string) => `alter table read.${table} drop column %`],
  ])('answers 503 where a read model %s, and all is well once they are rebuilt', async (_, change) => {
    // A lock on each rebuild's schema keeps this state for a while.
    const holder = new pg.Client({ connectionString: database.url });
    holder.on('error', () => undefined);
    await holder.connect();
    for (const { name, tables } of readModels) {
      await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [`projections:read_next_${name}`]);
      for (const table of tables) {
        const { rows } = await holder.query<{ column: string }>(
          `select attname as column from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
           order by attnum desc limit 1`,
          [`read.${table}`],
        );
        await holder.query(change(table).replace('%', rows[0]?.column ?? ''));
      }
    }
    await holder.query(`update read.checkpoint set version = 0`);
    await holder.query(`update read.checkpoint set tables = '{}' where to_regclass('read.' || tables[1]) is null`);

    const api = await startTestApi({ database, environment: { RATE_LIMIT_FACTOR: '1000' } });
    try {
      const calls = await getCalls(api);
      expect(calls.length).toBeGreaterThan(40);
      const ready = await api.browser().get('/health/ready');
      expect(ready.status).toBe(503);
      expect(ready.body.checks.projections.detail).toMatch(/balances.*being rebuilt for another release/);
      // An admin is a member too, and may make every call.
      const browser = api.browser();
      const { email, password } = admin;
      const signIn = await browser.post('/api/auth/signin', { email, password, tcConsent: true, tcVersion: '1.0' });
      // Its answer has a balance, which is not known yet; the session exists anyway.
      expect([200, 503]).toContain(signIn.status);
      expect(browser.cookies.size).toBeGreaterThan(0);
      const walk = async (): Promise<string[]> => {
        const wrong: string[] = [];
        for (const path of calls) {
          const { status, body } = await browser.get(path);
          if (status < 500) continue;
          // The books have their own error.
          const isKnown = status === 503 && ['READ_MODEL_REBUILDING', 'BOOKS_BEHIND'].includes(body.code);
          wrong.push(isKnown && body.message ? 'rebuilding' : `${path}: ${status} ${JSON.stringify(body)}`);
        }
        return wrong;
      };
      const meanwhile = await walk();
      expect(meanwhile.filter((answer) => answer !== 'rebuilding')).toEqual([]);
      expect(meanwhile.length).toBeGreaterThan(10);

      await holder.end();
      while ((await api.browser().get('/health/ready')).status !== 200) await sleep(100);
      expect(await walk()).toEqual([]);
      // The part of a gift.
      expect((await browser.get('/api/nova/balance')).body.novaBalance).toBeGreaterThan(0);
    } finally {
      await holder.end().catch(() => undefined);
      await api.close();
    }
  });
});
