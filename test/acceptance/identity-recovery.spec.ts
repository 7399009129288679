import { DataSource } from 'typeorm';
import { AccountSecrets } from '../../apps/api/src/identity/account-secrets.js';
import { Account } from '../../apps/api/src/identity/entities.js';
import { SecretHashing } from '../../apps/api/src/identity/secret-hashing.js';
import { AppError } from '../../apps/api/src/platform/errors/app-error.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';

const terms = { tcConsent: true, tcVersion: '1.0' };

describe('recovery by PIN (decisions.md, Identity)', () => {
  let api: TestApi;
  beforeAll(async () => {
    // The limit on failures in general stands aside: recovery has its own.
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '10' } });
  });
  afterAll(() => api?.close());

  const recover = ({ email }: { email: string }, pin: string, newPassword = 'a new password') =>
    api.browser().post('/api/auth/recover', { email, pin, newPassword });
  const signIn = ({ email }: TestMember, password: string) =>
    api.browser().post('/api/auth/signin', { email, password, ...terms });

  it('sets the new password, and ends every session', async () => {
    const member = await api.member({ pin: '4711' });
    expect(await recover(member, '4711')).toMatchObject({
      status: 200,
      body: { message: expect.stringMatching(/changed/) },
    });
    expect((await signIn(member, member.password)).status).toBe(401);
    expect((await member.browser.get('/api/auth/user')).status).toBe(401);
    expect((await signIn(member, 'a new password')).status).toBe(200);
  });

  it('refuses a wrong PIN and changes nothing', async () => {
    const member = await api.member({ pin: '4711' });
    expect(await recover(member, '4712')).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
    expect((await signIn(member, member.password)).status).toBe(200);
    expect((await member.browser.get('/api/auth/user')).status).toBe(200);
  });

  it('locks for an hour after five wrong PINs, for the right one too', async () => {
    const member = await api.member({ pin: '4711' });
    // All at once, from many places: the database counts them, not one server's memory.
    const answers = await Promise.all(Array.from({ length: 8 }, () => recover(member, '0000')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      401, 401, 401, 401, 401, 429, 429, 429,
    ]);
    const locked = await recover(member, '4711');
    expect(locked).toMatchObject({ status: 429, body: { code: 'RECOVERY_LOCKED' } });
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect((await signIn(member, member.password)).status).toBe(200);

    await api.database.pool.query(
      `update recovery_attempts set locked_until = now() - interval '1 s', updated_at = now() - interval '61 minutes'`,
    );
    expect((await recover(member, '4711')).status).toBe(200);
  });

  it('lets nobody in who proved the PIN just before it was changed', async () => {
    const member = await api.member({ pin: '4711' });
    const proven = await api.nova.app.get(DataSource).getRepository(Account).findOneByOrFail({ id: member.id });
    const secrets = api.nova.app.get(AccountSecrets);
    await secrets.reset(member.id, { kind: 'pin', secret: '0815' });
    await expect(secrets.recover(proven, 'a new password')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect((await signIn(member, member.password)).status).toBe(200);
  });

  it('begins counting anew after a success', async () => {
    const member = await api.member({ pin: '4711' });
    for (let i = 0; i < 4; i++) await recover(member, '0000');
    expect((await recover(member, '4711')).status).toBe(200);
    for (let i = 0; i < 4; i++) expect((await recover(member, '0000')).status).toBe(401);
    expect((await recover(member, '4711')).status).toBe(200);
  });

  it('does not count attempts for which there was no time', async () => {
    const member = await api.member({ pin: '4711' });
    const hashing = api.nova.app.get(SecretHashing);
    const busy = new AppError(503, 'BUSY', 'Please try again.');
    const verify = jest.spyOn(hashing, 'verify');
    const hash = jest.spyOn(hashing, 'hash');
    for (let i = 0; i < 5; i++) {
      (i < 3 ? verify : hash).mockRejectedValueOnce(busy);
      expect(await recover(member, '4711')).toMatchObject({ status: 503, body: { code: 'BUSY' } });
    }
    verify.mockRestore();
    hash.mockRestore();
    for (let i = 0; i < 4; i++) expect((await recover(member, '0000')).status).toBe(401);
    expect((await recover(member, '4711')).status).toBe(200);
  });

  it('does not tell an unknown account from a known one', async () => {
    const nobody = { email: 'nobody@example.com' };
    for (let i = 0; i < 5; i++) expect(await recover(nobody, '0000')).toMatchObject({ status: 401 });
    expect(await recover(nobody, '0000')).toMatchObject({ status: 429, body: { code: 'RECOVERY_LOCKED' } });
  });

  it.each([
    ['no PIN', { pin: undefined }, 'All fields are required'],
    ['a PIN of letters', { pin: 'abcd' }, 'PIN must be 4-6 digits'],
    ['a short password', { newPassword: 'short' }, 'Password must be at least 8 characters and at most 128.'],
    ['no e-mail', { email: '' }, 'All fields are required'],
  ])('refuses %s', async (_, change, message) => {
    const member = await api.member({ pin: '4711' });
    const body = { email: member.email, pin: '4711', newPassword: 'a new password', ...change };
    expect(await api.browser().post('/api/auth/recover', body)).toMatchObject({ status: 400, body: { message } });
    expect((await signIn(member, member.password)).status).toBe(200);
  });
});
