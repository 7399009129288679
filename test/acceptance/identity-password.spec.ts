import { startTestApi, type TestApi, type TestMember } from '../support/api.js';

const terms = { tcConsent: true, tcVersion: '1.0' };
const NEW = 'a new password';

describe('a change of password by whoever is signed in', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api?.close());

  const change = ({ browser, password }: TestMember, passwords: object = {}) =>
    browser.post('/api/auth/password', { currentPassword: password, newPassword: NEW, ...passwords });
  const signIn = ({ email }: TestMember, password: string, browser = api.browser()) =>
    browser.post('/api/auth/signin', { email, password, ...terms });
  const isSignedIn = async ({ browser }: { browser: TestMember['browser'] }): Promise<boolean> =>
    (await browser.get('/api/auth/user')).status === 200;

  it('sets it, keeps this session and ends the others', async () => {
    const member = await api.member();
    const elsewhere = api.browser();
    await signIn(member, member.password, elsewhere);
    expect(await change(member)).toMatchObject({ status: 200, body: { message: expect.stringMatching(/changed/) } });
    expect(await isSignedIn(member)).toBe(true);
    expect(await isSignedIn({ browser: elsewhere })).toBe(false);
    expect((await signIn(member, member.password)).status).toBe(401);
    expect((await signIn(member, NEW)).status).toBe(200);
    expect((await change(member, { currentPassword: NEW, newPassword: member.password })).status).toBe(200);
  });

  it('refuses a wrong current password and changes nothing', async () => {
    const member = await api.member();
    const elsewhere = api.browser();
    await signIn(member, member.password, elsewhere);
    const refused = { status: 403, body: { code: 'WRONG_PASSWORD', message: 'The current password is wrong.' } };
    expect(await change(member, { currentPassword: 'wrong horse' })).toMatchObject(refused);
    for (const browser of [member.browser, elsewhere]) expect(await isSignedIn({ browser })).toBe(true);
    expect((await signIn(member, member.password)).status).toBe(200);
  });

  it('counts wrong ones with those of signing in', async () => {
    const member = await api.member();
    for (let i = 0; i < 6; i++) expect((await change(member, { currentPassword: `no ${i}` })).status).toBe(403);
    for (let i = 0; i < 4; i++) expect((await signIn(member, `no ${i}`)).status).toBe(401);
    expect((await change(member)).status).toBe(429);
    expect((await signIn(member, member.password)).status).toBe(429);
  });

  it('changes nothing for a session that a recovery ends meanwhile', async () => {
    const member = await api.member({ pin: '4711' });
    const recover = { email: member.email, pin: '4711', newPassword: 'a recovered password' };
    const [changed, recovered] = await Promise.all([change(member), api.browser().post('/api/auth/recover', recover)]);
    expect(recovered.status).toBe(200);
    expect([200, 401]).toContain(changed.status);
    expect(await isSignedIn(member)).toBe(false);
    expect((await signIn(member, 'a recovered password')).status).toBe(200);
  });

  it.each([
    ['no current password', { currentPassword: '' }, 'All fields are required'],
    ['a short new one', { newPassword: 'short' }, 'Password must be at least 8 characters and at most 128.'],
    [
      'a new one that is no text',
      { newPassword: 12_345_678 },
      'Password must be at least 8 characters and at most 128.',
    ],
    ['anything else', { pin: '4711' }, expect.any(String)],
  ])('refuses %s', async (_, passwords, message) => {
    const member = await api.member();
    expect(await change(member, passwords)).toMatchObject({ status: 400, body: { message } });
    expect((await signIn(member, member.password)).status).toBe(200);
  });

  it('is for members alone', async () => {
    const body = { currentPassword: 'any', newPassword: NEW };
    expect((await api.browser().post('/api/auth/password', body)).status).toBe(401);
  });
});
