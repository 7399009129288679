import { DataSource } from 'typeorm';
import { AccountSecrets } from '../../apps/api/src/identity/account-secrets.js';
import { Account } from '../../apps/api/src/identity/entities.js';
import { RecoveryAttempts } from '../../apps/api/src/identity/recovery-attempts.js';
import { SecretHashing } from '../../apps/api/src/identity/secret-hashing.js';
import { AppError } from '../../apps/api/src/platform/errors/app-error.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';

const terms = { tcConsent: true, tcVersion: '1.0' };

describe('recovery by PIN', () => {
  let api: TestApi;
  beforeAll(async () => {
    // The general limit on failures is out of the way: recovery has its own.
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '10' } });
  });
  afterAll(() => api?.close());

  const recover = ({ email }: { email: string }, pin: string, newPassword = 'a new password') =>
    api.browser().post('/api/auth/recover', { email, pin, newPassword });
  /** Lets that much time pass. */
  const letPass = async (time: string): Promise<void> => {
    for (const table of ['recovery_attempts', 'recovery_attempts_of_nobody']) {
      await api.database.pool.query(
        `update ${table} set updated_at = updated_at - $1::interval, locked_until = locked_until - $1::interval,
           pauses = array(select at - $1::interval from unnest(pauses) at)`,
        [time],
      );
    }
  };
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

  it('is paused for an hour after five wrong PINs, for the right one too', async () => {
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

    await letPass('61 minutes');
    expect((await recover(member, '4711')).status).toBe(200);
  });

  it('is paused for an hour, then four, then a day each time, and a pause is forgotten after a week', async () => {
    const member = await api.member({ pin: '4711' });
    /** The pause in hours after five more wrong PINs. */
    const pauseAfterFive = async (): Promise<number> => {
      for (let i = 0; i < 5; i++) expect((await recover(member, '0000')).status).toBe(401);
      const { status, body, headers } = await recover(member, '0000');
      expect({ status, code: body.code }).toEqual({ status: 429, code: 'RECOVERY_LOCKED' });
      return Math.ceil(Number(headers.get('retry-after')) / 3_600);
    };
    expect(await pauseAfterFive()).toBe(1);
    await letPass('61 minutes');
    expect(await pauseAfterFive()).toBe(4);
    await letPass('4 hours 1 minute');
    expect(await pauseAfterFive()).toBe(24);
    await letPass('24 hours 1 minute');
    expect(await pauseAfterFive()).toBe(24);
    // Of the four pauses, the last alone is younger than a week.
    await letPass('6 days');
    expect(await pauseAfterFive()).toBe(4);
    await letPass('8 days');
    expect(await pauseAfterFive()).toBe(1);
  });

  it('counts wrong PINs however slowly they come', async () => {
    const member = await api.member({ pin: '4711' });
    for (let i = 0; i < 5; i++) {
      expect((await recover(member, '0000')).status).toBe(401);
      if (i < 4) await letPass('2 hours');
    }
    expect(await recover(member, '4711')).toMatchObject({ status: 429, body: { code: 'RECOVERY_LOCKED' } });
  });

  it('is never paused for a browser that the account knows, which has few tries a day of its own', async () => {
    const member = await api.member({ pin: '4711' });
    for (let i = 0; i < 5; i++) await recover(member, '0000');
    expect((await recover(member, '4711')).status).toBe(429);
    const recoverAtHome = (pin: string) =>
      member.browser.post('/api/auth/recover', { email: member.email, pin, newPassword: 'a new password' });
    // Another account's browser does not count as known.
    const stranger = await api.member();
    const body = { email: member.email, pin: '4711', newPassword: 'a new password' };
    expect((await stranger.browser.post('/api/auth/recover', body)).status).toBe(429);
    expect((await recoverAtHome('0000')).status).toBe(401);
    expect((await recoverAtHome('4711')).status).toBe(200);
    expect((await signIn(member, 'a new password')).status).toBe(200);
    // Ten times the factor of this test; one was wrong before.
    for (let n = 0; n < 99; n += 33) await Promise.all(Array.from({ length: 33 }, () => recoverAtHome('0000')));
    expect(await recoverAtHome('4711')).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect((await recover(member, '4711')).status).toBe(200);
  });

  it('tells the member at the next sign-in that somebody guesses, once a day at most', async () => {
    const member = await api.member({ pin: '4711' });
    const told = async (): Promise<unknown[]> => {
      const { body } = await member.browser.get('/api/auth/security-notices');
      return body.notices.filter(({ kind }: { kind: string }) => kind === 'recovery_paused');
    };
    const guess = async () => {
      for (let i = 0; i < 5; i++) await recover(member, '0000');
    };
    await guess();
    await eventually(async () => (await told()).length === 1);
    expect(await told()).toMatchObject([{ isUnseen: true, message: expect.stringContaining('paused for an hour') }]);
    await letPass('61 minutes');
    await guess();
    expect((await recover(member, '0000')).status).toBe(429);
    await letPass('5 hours');
    await api.database.pool.query(`update security_notices set created_at = created_at - interval '25 hours'`);
    await guess();
    await eventually(async () => (await told()).length === 2);
    expect(await told()).toMatchObject([{ message: expect.stringContaining('24 hours') }, {}]);
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

  it('does not tell an unknown account or an admin from any other', async () => {
    const member = await api.member({ pin: '4711' });
    const admin = await api.member({ pin: '4711' });
    await api.database.pool.query('update accounts set is_admin = true where id = $1', [admin.id]);
    const answersTo = async (of: { email: string }) => {
      const answers = [];
      for (let i = 0; i < 7; i++) {
        const { status, body, headers } = await recover(of, '0000');
        const hours = Math.ceil(Number(headers.get('retry-after')) / 3_600);
        answers.push({ status, hours, code: body.code, message: body.message });
        if (i === 5) await letPass('61 minutes');
      }
      return answers;
    };
    const expected = await answersTo(member);
    expect(expected.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 401]);
    expect(await answersTo({ email: 'nobody@example.com' })).toEqual(expected);
    expect(await answersTo(admin)).toEqual(expected);
  });

  it('is not for admins, with whatever PIN and in whichever browser', async () => {
    const admin = await api.member({ pin: '4711' });
    await api.database.pool.query('update accounts set is_admin = true where id = $1', [admin.id]);
    const body = { email: admin.email, pin: '4711', newPassword: 'a new password' };
    for (const browser of [api.browser(), admin.browser]) {
      expect(await browser.post('/api/auth/recover', body)).toMatchObject({
        status: 401,
        body: { code: 'INVALID_CREDENTIALS' },
      });
    }
    expect((await signIn(admin, admin.password)).status).toBe(200);
  });

  it('leaves no row for addresses without an account but the newest ones, and those for a week', async () => {
    const { pool } = api.database;
    const count = async (table: string): Promise<number> =>
      Number((await pool.query(`select count(*) from ${table}`)).rows[0].count);
    const before = await count('recovery_attempts');
    for (let i = 0; i < 20; i++) expect((await recover({ email: `nobody-${i}@example.com` }, '0000')).status).toBe(401);
    expect(await count('recovery_attempts')).toBe(before);
    await pool.query(
      `insert into recovery_attempts_of_nobody (email_hash, failures, updated_at)
       select sha256(n::text::bytea), 1, now() - interval '1 hour' from generate_series(1, 20000) n`,
    );
    const attempts = api.nova.app.get(RecoveryAttempts);
    await attempts.sweep();
    expect(await count('recovery_attempts_of_nobody')).toBe(10_000);
    expect(
      (await pool.query(`select from recovery_attempts_of_nobody where updated_at > now() - interval '30 min'`))
        .rowCount,
    ).toBeGreaterThanOrEqual(20);
    await letPass('8 days');
    await attempts.sweep();
    expect([await count('recovery_attempts'), await count('recovery_attempts_of_nobody')]).toEqual([0, 0]);
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
