import { startTestApi, type TestApi, type TestMember } from '../support/api.js';

const terms = { tcConsent: true, tcVersion: '1.0' };

describe('signing in and out', () => {
  let api: TestApi;
  let ada: TestMember;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '10' } });
    ada = await api.member({ displayName: 'Ada' });
  });
  afterAll(() => api?.close());

  const signIn = (member: TestMember, browser = api.browser()) =>
    browser.post('/api/auth/signin', { email: member.email, password: member.password, ...terms });
  const sessions = async (): Promise<number> =>
    Number((await api.database.pool.query('select count(*) from sessions')).rows[0].count);

  it('answers 401 to whoever is not signed in', async () => {
    expect(await api.browser().get('/api/auth/user')).toMatchObject({
      status: 401,
      body: { statusCode: 401, code: 'UNAUTHENTICATED', message: 'Please sign in to continue.' },
    });
  });

  it('signs in and answers the current user', async () => {
    const browser = api.browser();
    const answer = await signIn(ada, browser);
    expect(answer).toMatchObject({ status: 200, body: { user: { id: ada.id, displayName: 'Ada' } } });
    expect(await browser.get('/api/auth/user')).toMatchObject({ status: 200, body: { user: { id: ada.id } } });
  });

  it('does not mind how the e-mail address is written', async () => {
    const answer = await signIn({ ...ada, email: `  ${ada.email.toUpperCase()} ` });
    expect(answer.status).toBe(200);
  });

  it('ends the session and keeps the device', async () => {
    const browser = api.browser();
    await signIn(ada, browser);
    const [session, device] = [browser.cookies.get('nova_session'), browser.cookies.get('nova_device')];
    expect(await browser.post('/api/auth/signout')).toMatchObject({ status: 200, body: { message: 'Signed out' } });
    expect(browser.cookies.has('nova_session')).toBe(false);
    expect(browser.cookies.get('nova_device')).toBe(device);
    expect((await browser.get('/api/auth/user', { cookie: `nova_session=${session}` })).status).toBe(401);
    const { rows } = await api.database.pool.query('select count(*)::int as count from devices where account_id = $1', [
      ada.id,
    ]);
    await signIn(ada, browser);
    const again = await api.database.pool.query('select count(*)::int as count from devices where account_id = $1', [
      ada.id,
    ]);
    expect(again.rows).toEqual(rows);
  });

  it('keeps ten sessions of a device that forgets its session, and the newest of them', async () => {
    const member = await api.member();
    for (let time = 0; time < 12; time++) {
      member.browser.cookies.delete('nova_session');
      expect((await signIn(member, member.browser)).status).toBe(200);
    }
    const { rows } = await api.database.pool.query(
      'select count(*)::int as count from sessions where account_id = $1',
      [member.id],
    );
    expect(rows).toEqual([{ count: 10 }]);
    expect((await member.browser.get('/api/auth/user')).status).toBe(200);
  });

  it('takes a sign-out without a session, and one that says it sends JSON but sends none', async () => {
    expect((await api.browser().post('/api/auth/signout')).status).toBe(200);
    expect(
      (await api.browser().post('/api/auth/signout', undefined, { 'content-type': 'application/json' })).status,
    ).toBe(200);
  });

  it('replaces the session that the browser had', async () => {
    const browser = api.browser();
    await signIn(ada, browser);
    const first = browser.cookies.get('nova_session');
    const before = await sessions();
    await signIn(ada, browser);
    expect(await sessions()).toBe(before);
    expect((await api.browser().get('/api/auth/user', { cookie: `nova_session=${first}` })).status).toBe(401);
  });

  it('lets a session end after 24 hours', async () => {
    const { browser, id } = await api.member();
    await api.database.pool.query(`update sessions set expires_at = now() - interval '1 s' where account_id = $1`, [
      id,
    ]);
    expect((await browser.get('/api/auth/user')).status).toBe(401);
  });

  it.each([['nonsense'], ['x'.repeat(43)], [''], ['a'.repeat(4000)]])(
    'takes the cookie %s for no session',
    async (value) => {
      expect((await api.browser().get('/api/auth/user', { cookie: `nova_session=${value}` })).status).toBe(401);
    },
  );

  it.each([' correct horse', 'correct horse ', 'Correct Horse', 'correct horse\u0301', 'correct hors'])(
    'takes a password as it was typed, so not %j',
    async (password) => {
      expect(await signIn({ ...ada, password })).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
    },
  );

  it('says the same of a wrong password and of an unknown account', async () => {
    const wrong = await signIn({ ...ada, password: 'wrong password' });
    const unknown = await signIn({ ...ada, email: 'nobody@example.com' });
    for (const answer of [wrong, unknown]) {
      expect(answer).toMatchObject({
        status: 401,
        body: { code: 'INVALID_CREDENTIALS', message: 'Invalid email or password.' },
      });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it.each([
    [
      'consent is missing',
      { tcConsent: undefined },
      'You must accept the Terms & Conditions to continue.',
      'TERMS_NOT_ACCEPTED',
    ],
    ['the e-mail is missing', { email: undefined }, 'Email and password are required', 'REQUIRED'],
    ['the password is missing', { password: '' }, 'Email and password are required', 'REQUIRED'],
    [
      'the password is an object',
      { password: { $ne: '' } },
      'Password must be at most 128 characters.',
      'INVALID_PASSWORD',
    ],
    ['a field is unknown', { remember: true }, 'The request has an unknown field: remember.', 'UNKNOWN_FIELD'],
  ])('refuses when %s', async (_, change, message, code) => {
    const before = await sessions();
    const answer = await api
      .browser()
      .post('/api/auth/signin', { email: ada.email, password: ada.password, ...terms, ...change });
    expect(answer).toMatchObject({ status: 400, body: { statusCode: 400, code, message } });
    expect(await sessions()).toBe(before);
  });

  it('refuses a closed account, whose session has ended too', async () => {
    const member = await api.member();
    await api.database.pool.query('update accounts set closed_at = now() where id = $1', [member.id]);
    expect((await signIn(member)).status).toBe(401);
    expect((await member.browser.get('/api/nova/balance')).status).toBe(401);
  });

  it('ends a session in every process at once', async () => {
    const other = await startTestApi({ database: api.database });
    try {
      const { browser } = await api.member();
      const cookie = `nova_session=${browser.cookies.get('nova_session')}`;
      expect((await other.browser().get('/api/auth/user', { cookie })).status).toBe(200);
      await browser.post('/api/auth/signout');
      // Well within the time for which sessions are cached, so only the notification can do it.
      await expectWithin(1_000, async () => (await other.browser().get('/api/auth/user', { cookie })).status === 401);
    } finally {
      await other.close();
    }
  });
});

describe('the limit on failed sign-ins', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api?.close());

  it('lets ten failures pass, then refuses even the right password until the time is over', async () => {
    const ada = await api.member();
    const bob = await api.member();
    const attempt = (email: string, password: string) =>
      api.browser().post('/api/auth/signin', { email, password, ...terms });
    // All at once: none may slip through because others are still being checked.
    const answers = await Promise.all(Array.from({ length: 14 }, () => attempt(ada.email, 'wrong password')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(10).fill(401),
      ...Array(4).fill(429),
    ]);
    const refused = await attempt(ada.email, ada.password);
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
    const devices = await api.browser().post('/api/devices/by-email', { email: ada.email, password: ada.password });
    expect(devices.status).toBe(429);
    expect((await attempt(bob.email, bob.password)).status).toBe(200);
  });

  it('does not count what succeeds', async () => {
    const ada = await api.member();
    for (let i = 0; i < 12; i++) {
      const answer = await ada.browser.post('/api/auth/signin', { email: ada.email, password: ada.password, ...terms });
      expect(answer.status).toBe(200);
    }
  });
});

async function expectWithin(timeoutMs: number, check: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the log of requests', () => {
  const lines: Record<string, unknown>[] = [];
  let raw = '';
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({
      environment: { LOG_LEVEL: 'info' },
      logTo: {
        write(line) {
          raw += line;
          lines.push(JSON.parse(line));
        },
      },
    });
  });
  afterAll(() => api?.close());

  it('says who signed in, and what was refused to which address, with nothing that was typed', async () => {
    const ada = await api.member({ displayName: 'Ada' });
    await api.browser().post('/api/auth/signin', { email: ada.email, password: 'wrong horse', ...terms });
    const browser = api.browser();
    await browser.post('/api/auth/signin', { email: ada.email, password: ada.password, ...terms });
    await browser.get('/api/nova/balance');
    await browser.get('/api/admin/users');

    const requests = lines.filter(({ msg }) => msg === 'request');
    const address = expect.stringMatching(/127\.0\.0\.1$/);
    expect(requests).toMatchObject([
      { path: '/api/auth/register', statusCode: 201, memberId: ada.id },
      { path: '/api/auth/signin', statusCode: 401, code: 'INVALID_CREDENTIALS', address },
      { path: '/api/auth/signin', statusCode: 200, memberId: ada.id },
      { path: '/api/nova/balance', statusCode: 200, memberId: ada.id },
      { path: '/api/admin/users', statusCode: 403, code: 'ADMIN_ONLY', memberId: ada.id, address },
    ]);
    expect(requests.map((line) => 'address' in line)).toEqual([false, true, false, false, true]);
    expect(requests[1]).not.toHaveProperty('memberId');
    for (const typed of [ada.email, ada.password, 'wrong horse', ada.displayName]) expect(raw).not.toContain(typed);
  });
});
