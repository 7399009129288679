import { registrationBody, startTestApi, type TestApi } from '../support/api.js';

describe('registering', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ environment: { ADMIN_EMAIL: 'Root@Example.com', RATE_LIMIT_FACTOR: '10' } });
  });
  afterAll(() => api?.close());

  const accounts = async (): Promise<number> =>
    Number((await api.database.pool.query('select count(*) from accounts')).rows[0].count);

  it('makes an account, signs its browser in and answers the current user', async () => {
    const browser = api.browser();
    const body = registrationBody({ displayName: '  Ada  ', email: 'Ada@Example.com' });
    const answer = await browser.post('/api/auth/register', body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      user: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        displayName: 'Ada',
        email: 'Ada@Example.com',
        emailVerified: false,
        awaitsAdminWord: false,
        isAdmin: false,
        profileImageUrl: null,
        profileCardThumbnailUrl: null,
        profileCardContent: null,
        novaBalance: 0,
        purchasedNova: 0,
        earnedNova: 0,
        followingCount: 0,
        rating: 5,
        ratingCount: 0,
        createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      },
    });
    expect((await browser.get('/api/auth/user')).body).toEqual(answer.body);
  });

  it('sets cookies that scripts and other sites cannot use', async () => {
    const answer = await api.browser().post('/api/auth/register', registrationBody());
    const [session, device] = answer.headers.getSetCookie();
    expect(session).toMatch(/^nova_session=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(device).toMatch(/^nova_device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('stores no secret as it is', async () => {
    const member = await api.member({ password: 'a secret of Eve', pin: '9867' });
    const { rows } = await api.database.pool.query(
      `select a::text as account, s::text as session from accounts a join sessions s on s.account_id = a.id where a.id = $1`,
      [member.id],
    );
    const stored = JSON.stringify(rows);
    expect(stored).toContain('$argon2id$');
    for (const secret of ['a secret of Eve', '"9867"', ...member.browser.cookies.values()]) {
      expect(stored).not.toContain(secret);
    }
  });

  it('makes the account with ADMIN_EMAIL an admin, however it is written', async () => {
    const answer = await api.browser().post('/api/auth/register', registrationBody({ email: 'ROOT@example.COM' }));
    expect(answer.body.user.isAdmin).toBe(true);
  });

  it('knows an e-mail address by whatever case', async () => {
    const { email } = await api.member();
    const again = await api.browser().post('/api/auth/register', registrationBody({ email: email.toUpperCase() }));
    expect(again).toMatchObject({
      status: 409,
      body: { statusCode: 409, code: 'EMAIL_TAKEN', message: 'An account with this email already exists.' },
    });
  });

  it('makes one account of many registrations at the same moment', async () => {
    const body = registrationBody();
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.browser().post('/api/auth/register', body)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('refuses a blocked e-mail address', async () => {
    await api.database.pool.query(`insert into blocked_emails (email_key) values ('mallory@example.com')`);
    const answer = await api.browser().post('/api/auth/register', registrationBody({ email: 'Mallory@example.com' }));
    expect(answer).toMatchObject({ status: 403, body: { code: 'EMAIL_BLOCKED' } });
  });

  it.each([64, 128])('takes a password of %i characters of any kind, all of which count', async (length) => {
    const password = Array.from(` 🌙 قهوة\t"'<b>%_\\ #&;é`.repeat(length)).slice(0, length).join('');
    const { email } = await api.member({ password });
    const signIn = (typed: string) =>
      api.browser().post('/api/auth/signin', { email, password: typed, tcConsent: true, tcVersion: '1.0' });
    expect((await signIn(password)).status).toBe(200);
    expect((await signIn(Array.from(password).slice(0, -1).join(''))).status).toBe(401);
  });

  describe('refuses with a sentence and a code, and changes nothing', () => {
    const required = ['All fields are required', 'REQUIRED'];
    const pin = ['PIN must be 4-6 digits', 'INVALID_PIN'];
    const terms = ['You must accept the Terms & Conditions to continue.', 'TERMS_NOT_ACCEPTED'];
    const email = ['Please enter a valid email address.', 'INVALID_EMAIL'];
    const password = ['Password must be at least 8 characters and at most 128.', 'INVALID_PASSWORD'];
    const name = ['Display name must be at most 50 characters.', 'INVALID_DISPLAY_NAME'];
    it.each([
      ['no display name', { displayName: undefined }, required],
      ['a blank display name', { displayName: '   ' }, required],
      ['a display name of 51 characters', { displayName: 'x'.repeat(51) }, name],
      ['a display name with control characters', { displayName: 'A\u0000da' }, name],
      ['a display name that is a number', { displayName: 7 }, name],
      ['no e-mail', { email: undefined }, required],
      ['a null e-mail', { email: null }, required],
      ['an e-mail without @', { email: 'ada.example.com' }, email],
      ['an e-mail that is a list', { email: ['ada@example.com'] }, email],
      ['no password', { password: '' }, required],
      ['a password of 7 characters', { password: '1234567' }, password],
      ['a password of 129 characters', { password: 'x'.repeat(129) }, password],
      ['a password that is an object', { password: { length: 10 } }, password],
      ['no PIN', { pin: undefined }, required],
      ['a PIN of 3 digits', { pin: '123' }, pin],
      ['a PIN of 7 digits', { pin: '1234567' }, pin],
      ['a PIN with letters', { pin: '12a4' }, pin],
      ['a PIN that is a number', { pin: 1234 }, pin],
      ['no consent', { tcConsent: undefined }, terms],
      ['consent refused', { tcConsent: false }, terms],
      ['consent as text', { tcConsent: 'true' }, terms],
      ['other terms', { tcVersion: '0.9' }, ['The terms have changed: please accept version 1.0.', 'TERMS_VERSION']],
      ['several faults, one of them a missing field', { displayName: '', pin: '1' }, required],
      ['an unknown field', { isAdmin: true }, ['The request has an unknown field: isAdmin.', 'UNKNOWN_FIELD']],
      [
        'a prototype',
        JSON.parse('{"__proto__": {"isAdmin": true}, "x": 1}'),
        [expect.stringContaining('x'), 'UNKNOWN_FIELD'],
      ],
    ])('%s', async (_, change, [message, code]) => {
      const before = await accounts();
      const answer = await api.browser().post('/api/auth/register', { ...registrationBody(), ...change });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ statusCode: 400, code, message, requestId: expect.any(String) });
      expect(await accounts()).toBe(before);
    });

    it.each([
      ['nothing', undefined, {}, 400],
      ['an empty body that says it is JSON', '', {}, 400],
      ['a list', '[]', {}, 400],
      ['null', 'null', {}, 400],
      ['text', '"hello"', {}, 400],
    ])('a body that is %s', async (_, body, headers, status) => {
      const answer = await api.browser().send('POST', '/api/auth/register', { body, headers });
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({
        statusCode: status,
        code: expect.any(String),
        message: expect.stringMatching(/\w/),
      });
    });
  });

  it('counts code points, not UTF-16 units', async () => {
    const member = await api.member({ displayName: '🦊'.repeat(50) });
    expect(member.displayName).toBe('🦊'.repeat(50));
  });
});
