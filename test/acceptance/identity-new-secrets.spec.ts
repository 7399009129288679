import { hash } from '@node-rs/argon2';
import { registrationBody, startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { signInAdmin } from '../support/money.js';

const NAME = 'Grace Lindqvist';
/** Eight letters as one system encodes them, and as another does. */
const COMPOSED = 'naïve café'.normalize('NFC');
const DECOMPOSED = COMPOSED.normalize('NFD');

describe('new passwords and PINs', () => {
  let api: TestApi;
  let admin: TestMember;
  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  const passwords: [string, string, string][] = [
    ['a common one', 'PASSWORD_COMMON', 'Sunshine1'],
    ['a common one in other letters', 'PASSWORD_COMMON', 'PASSWORD1'],
    ['one that repeats itself', 'PASSWORD_PATTERN', '123123123'],
    ['one that runs', 'PASSWORD_PATTERN', '987654321'],
    ["the product's word", 'PASSWORD_PRODUCT', 'nova-2026'],
    ['their own name', 'PASSWORD_PERSONAL', 'lindqvist1'],
  ];
  const refused = (code: string) => ({ status: 400, body: { code, message: expect.stringMatching(/Choose/) } });

  it.each(passwords)('a password at registration is not %s', async (_, code, password) => {
    const body = registrationBody({ displayName: NAME, password });
    expect(await api.browser().post('/api/auth/register', body)).toMatchObject(refused(code));
    const { rowCount } = await api.database.pool.query('select from accounts where email = $1', [body.email]);
    expect(rowCount).toBe(0);
  });

  it.each(passwords)('nor is one that recovery or the member sets %s', async (_, code, newPassword) => {
    const member = await api.member({ displayName: NAME });
    const { email, pin, password: currentPassword } = member;
    expect(await api.browser().post('/api/auth/recover', { email, pin, newPassword })).toMatchObject(refused(code));
    const change = await member.browser.post('/api/auth/password', { currentPassword, newPassword });
    expect(change).toMatchObject(refused(code));
    expect((await member.browser.get('/api/auth/user')).status).toBe(200);
  });

  it.each(['0000', '1234', '987654', '1212', '121212', '1987'])('a PIN at registration is not %s', async (pin) => {
    const answer = await api.browser().post('/api/auth/register', registrationBody({ pin }));
    expect(answer).toMatchObject(refused('PIN_COMMON'));
  });

  it("an admin's reset takes any, and what exists goes on opening", async () => {
    const { id, email } = await api.member({ displayName: NAME });
    const reset = (what: string, body: object) => admin.browser.post(`/api/admin/users/${id}/${what}`, body);
    expect((await reset('reset-password', { newPassword: '123456' })).status).toBe(201);
    expect((await reset('reset-pin', { newPin: '1234' })).status).toBe(201);
    const terms = { tcConsent: true, tcVersion: '1.0' };
    expect((await api.browser().post('/api/auth/signin', { email, password: '123456', ...terms })).status).toBe(200);
    const recovery = { email, pin: '1234', newPassword: 'another horse' };
    expect((await api.browser().post('/api/auth/recover', recovery)).status).toBe(200);
  });

  describe('in letters that are written in two ways', () => {
    const signIn = (email: string, password: string) =>
      api.browser().post('/api/auth/signin', { email, password, tcConsent: true, tcVersion: '1.0' });

    it.each([
      [COMPOSED, DECOMPOSED],
      [DECOMPOSED, COMPOSED],
    ])('open in both: %j', async (password, other) => {
      const { email } = await api.member({ password });
      expect((await signIn(email, password)).status).toBe(200);
      expect((await signIn(email, other)).status).toBe(200);
    });

    it('count as they are seen', async () => {
      const answer = await api
        .browser()
        .post('/api/auth/register', registrationBody({ password: 'éàüñ'.normalize('NFD') }));
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_PASSWORD' } });
    });

    it('open a hash of what was typed before, which is replaced then', async () => {
      const member = await api.member();
      const store = async () =>
        api.database.pool.query('update accounts set password_hash = $2 where id = $1', [
          member.id,
          await hash(DECOMPOSED),
        ]);
      await store();
      expect((await signIn(member.email, COMPOSED)).status).toBe(401);
      expect((await signIn(member.email, DECOMPOSED)).status).toBe(200);
      expect((await signIn(member.email, COMPOSED)).status).toBe(200);
      await store();
      const change = { currentPassword: DECOMPOSED, newPassword: 'another horse' };
      expect((await member.browser.post('/api/auth/password', change)).status).toBe(200);
    });
  });
});
