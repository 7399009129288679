import { startTestApi } from '../support/api.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('starting', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase('start');
  });
  afterEach(async () => {
    await database.drop();
  });

  const journalLength = async (): Promise<number> =>
    Number((await database.pool.query('select count(*) from journal.events')).rows[0].count);

  it('leaves an installation without demo data empty', async () => {
    const api = await startTestApi({ database });
    await api.close();
    // The event from which quests count messages by the current rule is nobody's act.
    const { rows } = await database.pool.query('select type from journal.events');
    expect(rows).toEqual([{ type: 'MessagesCountOnceSuccessful' }]);
    expect((await database.pool.query('select count(*)::int as count from accounts')).rows).toEqual([{ count: 0 }]);
  });

  it('lets several processes start on a new database at once', async () => {
    const apis = await Promise.all([1, 2, 3].map(() => startTestApi({ database })));
    try {
      for (const api of apis) {
        expect((await api.browser().get('/health/ready')).status).toBe(200);
        await api.member();
      }
    } finally {
      await Promise.all(apis.map((api) => api.close()));
    }
  });

  it('refuses a journal that has not what the read models were made of, and does nothing to it', async () => {
    const { api, admin } = await signInAdmin(startTestApi, { database });
    await grantNova(admin, admin.id, 100);
    await grantNova(admin, admin.id, 100);
    await api.close();
    const before = await journalLength();
    const another = new EventStoreDbServer();
    await another.start();
    try {
      const environment = { EVENTSTORE_URL: another.connectionString };
      await expect(startTestApi({ database, environment })).rejects.toThrow(
        /^The journal where EVENTSTORE_URL points has no event, but this installation's reaches revision 1 at least\./,
      );
    } finally {
      another.kill();
    }
    // As if restored from a backup older than that of Postgres.
    await database.pool.query("delete from journal.events where type = 'NovaGranted' and revision = 1");
    await expect(startTestApi({ database })).rejects.toThrow(
      /^The journal in Postgres, where it is without EVENTSTORE_URL, ends with revision 0, but .* reaches revision 1/,
    );
    expect(await journalLength()).toBe(before - 1);
  });

  it('warns of an ADMIN_EMAIL without an account, and makes the account an admin at the next start', async () => {
    const first = await startTestApi({ database });
    const member = await first.member({ email: 'root@example.com' });
    expect((await member.browser.get('/api/auth/user')).body.user.isAdmin).toBe(false);
    await first.close();
    const second = await startTestApi({ database, environment: { ADMIN_EMAIL: 'root@example.com' } });
    try {
      const cookie = `nova_session=${member.browser.cookies.get('nova_session')}`;
      expect((await second.browser().get('/api/auth/user', { cookie })).body.user.isAdmin).toBe(true);
      expect((await second.browser().get('/api/admin/stats', { cookie })).status).toBe(200);
    } finally {
      await second.close();
    }
  });
});
