import { startTestApi, type TestApi, type TestBrowser, type TestMember } from '../support/api.js';

const terms = { tcConsent: true, tcVersion: '1.0' };
const SESSION = '__Host-nova_session';
const DEVICE = '__Host-nova_device';
const cookie = (pairs: Record<string, string | undefined>) =>
  Object.entries(pairs)
    .map((pair) => pair.join('='))
    .join('; ');

describe('what browsers carry on https', () => {
  let api: TestApi;
  let ada: TestMember;
  beforeAll(async () => {
    const environment = { PUBLIC_URL: 'https://nova.example', RATE_LIMIT_FACTOR: '1000', ADMIN_IDLE_MINUTES: '30' };
    api = await startTestApi({ environment });
    ada = await api.member();
  });
  afterAll(() => api?.close());

  const signIn = (browser: TestBrowser, { email, password }: TestMember, headers = {}) =>
    browser.post('/api/auth/signin', { email, password, ...terms }, headers);
  const statusWith = async (pairs: Record<string, string | undefined>) =>
    (await api.browser().get('/api/auth/user', { cookie: cookie(pairs) })).status;
  const deviceCount = async ({ id }: TestMember) =>
    (await api.database.pool.query('select from devices where account_id = $1', [id])).rowCount;

  it('has names that no subdomain can set, and a session of today counts under no other', async () => {
    const { cookies } = ada.browser;
    expect([...cookies.keys()].toSorted()).toEqual([DEVICE, SESSION]);
    const token = cookies.get(SESSION);
    expect(await statusWith({ [SESSION]: token })).toBe(200);
    expect(await statusWith({ nova_session: token })).toBe(401);
    expect(await statusWith({ [SESSION]: 'x', nova_session: token })).toBe(401);
  });

  it('is read under its former names and renewed: nobody is signed out, nor a new device', async () => {
    const [session, device] = [ada.browser.cookies.get(SESSION), ada.browser.cookies.get(DEVICE)];
    await api.database.pool.query('update sessions set host_bound = false where account_id = $1', [ada.id]);
    // Another process may have cached the session for some seconds.
    await new Promise((resolve) => setTimeout(resolve, 5_100));
    const browser = api.browser();
    browser.cookies.set('nova_session', session ?? '').set('nova_device', device ?? '');
    expect((await browser.get('/api/auth/user')).status).toBe(200);
    expect([browser.cookies.get(SESSION), browser.cookies.get(DEVICE)]).toEqual([session, device]);
    const again = api.browser();
    again.cookies.set('nova_device', device ?? '');
    expect((await signIn(again, ada)).status).toBe(200);
    expect(again.cookies.get(DEVICE)).toBe(device);
    expect(await deviceCount(ada)).toBe(1);
  });

  it('is a device by a token of the server alone', async () => {
    for (const planted of ['A'.repeat(43), (await api.member()).browser.cookies.get(DEVICE) ?? '']) {
      const member = await api.member();
      const browser = api.browser();
      browser.cookies.set(DEVICE, planted);
      expect((await signIn(browser, member)).status).toBe(200);
      expect(browser.cookies.get(DEVICE)).not.toBe(planted);
    }
  });

  it('is one device of each account that signs in there', async () => {
    const [one, other] = [await api.member(), await api.member()];
    const { browser } = one;
    for (const member of [other, one, other, one]) expect((await signIn(browser, member)).status).toBe(200);
    expect([await deviceCount(one), await deviceCount(other)]).toEqual([1, 2]);
  });

  it("ends an admin's session that nobody uses, whatever an open page asks for by itself", async () => {
    const admin = await api.member();
    await api.database.pool.query('update accounts set is_admin = true where id = $1', [admin.id]);
    const idle = async (minutes: number) => {
      await api.database.pool.query(
        `update sessions set last_used_at = now() - $2 * interval '1 minute' where account_id = $1`,
        [admin.id, minutes],
      );
      await new Promise((resolve) => setTimeout(resolve, 5_100));
    };
    await idle(29);
    expect((await admin.browser.get('/api/auth/user', { 'x-nova-idle': '900' })).status).toBe(200);
    const { rows } = await api.database.pool.query(
      `select last_used_at < now() - interval '28 minutes' as untouched from sessions where account_id = $1`,
      [admin.id],
    );
    expect(rows).toEqual([{ untouched: true }]);
    expect((await admin.browser.get('/api/auth/user', { 'x-nova-idle': '3' })).status).toBe(200);
    const { rows: used } = await api.database.pool.query(
      `select last_used_at > now() - interval '1 minute' as used from sessions where account_id = $1`,
      [admin.id],
    );
    expect(used).toEqual([{ used: true }]);
    await idle(31);
    expect((await admin.browser.get('/api/auth/user')).status).toBe(401);
    await api.database.pool.query('update accounts set is_admin = false where id = $1', [admin.id]);
    expect((await admin.browser.get('/api/auth/user')).status).toBe(200);
  });

  describe('an address in an international domain', () => {
    it('is one account in both forms', async () => {
      const { password } = await api.member({ email: 'ada@münchen.example' });
      const browser = api.browser();
      for (const email of ['ada@xn--mnchen-3ya.example', 'ADA@MÜNCHEN.example', 'ada@mu\u0308nchen.example']) {
        const answer = await browser.post('/api/auth/register', {
          displayName: 'Ada',
          email,
          password,
          pin: '472916',
          ...terms,
        });
        expect([answer.status, answer.body.code]).toEqual([409, 'EMAIL_TAKEN']);
        expect((await browser.post('/api/auth/signin', { email, password, ...terms })).status).toBe(200);
      }
    });
  });
});
