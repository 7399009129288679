import { CommandBus } from '@nestjs/cqrs';
import { SignIn } from '../../apps/api/src/identity/commands/sign-in.js';
import { Credentials } from '../../apps/api/src/identity/credentials.js';
import { startTestApi, type TestApi, type TestBrowser, type TestMember } from '../support/api.js';
import { openPlain } from '../support/live.js';

const terms = { tcConsent: true, tcVersion: '1.0' };
const newPassword = 'a new password';
const WRONG = { status: 403, body: { code: 'WRONG_PASSWORD', message: 'The current password is wrong.' } };

const change = ({ browser }: Pick<TestMember, 'browser'>, currentPassword: string, next = newPassword) =>
  browser.post('/api/auth/password', { currentPassword, newPassword: next });
const signIn = ({ email }: TestMember, password: string, browser: TestBrowser) =>
  browser.post('/api/auth/signin', { email, password, ...terms });
/** The same member in another browser. */
const elsewhere = async (member: TestMember, server: TestApi): Promise<TestMember> => {
  const browser = server.browser();
  expect((await signIn(member, member.password, browser)).status).toBe(200);
  return { ...member, browser };
};
const statusOf = async (browser: TestBrowser): Promise<number> => (await browser.get('/api/auth/user')).status;

describe('changing the password with the current one', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '10' } });
  });
  afterAll(() => api?.close());

  const expectUnchanged = async (member: TestMember) => {
    expect(await statusOf(member.browser)).toBe(200);
    expect((await signIn(member, member.password, api.browser())).status).toBe(200);
  };

  it('sets the new password in place of the old one', async () => {
    const member = await api.member();
    expect(await change(member, member.password)).toMatchObject({
      status: 200,
      body: { message: 'Your password has been changed. Your other devices have been signed out.' },
    });
    expect((await signIn(member, member.password, api.browser())).status).toBe(401);
    expect((await signIn(member, newPassword, api.browser())).status).toBe(200);
    expect(await change(member, newPassword, 'yet another one')).toMatchObject({ status: 200 });
    expect((await signIn(member, 'yet another one', api.browser())).status).toBe(200);
  });

  it('forgets no device', async () => {
    const member = await api.member();
    const other = await elsewhere(member, api);
    await change(member, member.password);
    const credentials = { email: member.email, password: newPassword };
    expect((await api.browser().post('/api/devices/by-email', credentials)).body).toMatchObject({ count: 2 });
    expect((await signIn(member, newPassword, other.browser)).status).toBe(200);
    expect((await api.browser().post('/api/devices/by-email', credentials)).body).toMatchObject({ count: 2 });
  });

  it('refuses a wrong current password and changes nothing', async () => {
    const member = await api.member();
    const other = await elsewhere(member, api);
    // Another member's password is not accepted.
    const { password } = await api.member({ password: 'somebody else’s' });
    for (const wrong of ['wrong password', `${member.password} `, password, newPassword]) {
      expect(await change(member, wrong)).toMatchObject(WRONG);
    }
    expect(await statusOf(other.browser)).toBe(200);
    await expectUnchanged(member);
  });

  it.each([
    [
      'a short password',
      { newPassword: 'short' },
      'Password must be at least 8 characters and at most 128.',
      'INVALID_PASSWORD',
    ],
    [
      'a long password',
      { newPassword: 'x'.repeat(129) },
      'Password must be at least 8 characters and at most 128.',
      'INVALID_PASSWORD',
    ],
    ['no new password', { newPassword: '' }, 'All fields are required', 'REQUIRED'],
    ['no current password', { currentPassword: undefined }, 'All fields are required', 'REQUIRED'],
    [
      'a current password that is no text',
      { currentPassword: { $ne: '' } },
      'Password must be at most 128 characters.',
      'INVALID_PASSWORD',
    ],
    ['another’s account', { email: 'b@example.com' }, expect.stringContaining('unknown field'), 'UNKNOWN_FIELD'],
  ])('refuses %s', async (_, given, message, code) => {
    const member = await api.member();
    const body = { currentPassword: member.password, newPassword, ...given };
    expect(await member.browser.post('/api/auth/password', body)).toMatchObject({
      status: 400,
      body: { code, message },
    });
    await expectUnchanged(member);
  });

  it('refuses whoever is not signed in, or no longer', async () => {
    const member = await api.member();
    const refused = { status: 401, body: { code: 'UNAUTHENTICATED' } };
    expect(await change({ browser: api.browser() }, member.password)).toMatchObject(refused);
    const left = await elsewhere(member, api);
    const cookie = `nova_session=${left.browser.cookies.get('nova_session')}`;
    await left.browser.post('/api/auth/signout');
    const body = { currentPassword: member.password, newPassword };
    expect(await api.browser().post('/api/auth/password', body, { cookie })).toMatchObject(refused);
    await expectUnchanged(member);
  });

  it('lets one of several changes at the same moment win, and its session alone stay', async () => {
    const member = await api.member();
    const all = [member, await elsewhere(member, api), await elsewhere(member, api)];
    const answers = await Promise.all(all.map((one, n) => change(one, member.password, `new password ${n}`)));
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // The other calls find their session gone, or the current password wrong by now.
    for (const { status } of answers) expect([200, 401, 403]).toContain(status);
    expect((await signIn(member, `new password ${winner}`, api.browser())).status).toBe(200);
    expect(await Promise.all(all.map(({ browser }) => statusOf(browser)))).toEqual(
      all.map((_, n) => (n === winner ? 200 : 401)),
    );
  });

  it('does not undo a recovery at the same moment', async () => {
    const member = await api.member({ pin: '4711' });
    const recovery = { email: member.email, pin: '4711', newPassword: 'by the PIN' };
    const [changed, recovered] = await Promise.all([
      change(member, member.password),
      api.browser().post('/api/auth/recover', recovery),
    ]);
    expect(recovered.status).toBe(200);
    expect([200, 401, 403]).toContain(changed.status);
    expect(await statusOf(member.browser)).toBe(401);
    expect((await signIn(member, 'by the PIN', api.browser())).status).toBe(200);
  });

  it('lets nobody in who proved the old one just before', async () => {
    const member = await api.member();
    const browser = { deviceToken: undefined, userAgent: 'slow' };
    const attempt = { email: member.email, password: member.password, address: '127.0.0.1', deviceToken: undefined };
    const proven = await api.nova.app.get(Credentials).verify(attempt);
    expect((await change(member, member.password)).status).toBe(200);
    const signingIn = api.nova.app.get(CommandBus).execute(new SignIn(proven, browser, undefined));
    await expect(signingIn).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  it('leaves wrong attempts at recovery counted: nobody has proved the PIN', async () => {
    const member = await api.member({ pin: '4711' });
    const recover = (pin: string) =>
      api.browser().post('/api/auth/recover', { email: member.email, pin, newPassword: 'by the PIN' });
    for (let n = 0; n < 5; n++) expect((await recover('0000')).status).toBe(401);
    expect((await change(member, member.password)).status).toBe(200);
    expect(await recover('4711')).toMatchObject({ status: 429, body: { code: 'RECOVERY_LOCKED' } });
  });
});

describe('a changed password', () => {
  let here: TestApi;
  let there: TestApi;
  beforeAll(async () => {
    here = await startTestApi();
    there = await startTestApi({ database: here.database });
  });
  afterAll(async () => {
    await there?.close();
    await here?.close();
  });

  it('ends every other session with its sockets, on every server, and keeps the one that asked', async () => {
    const [member, stranger] = [await here.member(), await here.member()];
    const [near, far] = [await elsewhere(member, here), await elsewhere(member, there)];
    expect([await statusOf(near.browser), await statusOf(far.browser)]).toEqual([200, 200]);
    const [kept, ended] = [await openPlain(here, member), await openPlain(there, far)];

    expect((await change(member, member.password)).status).toBe(200);
    // Each process has one Passport: both servers here use the second server's, which learns of the change like another
    // process.
    await ended.untilClosed();
    expect(ended.closeCode).toBe(4401);
    expect([await statusOf(near.browser), await statusOf(far.browser)]).toEqual([401, 401]);

    expect([await statusOf(member.browser), await statusOf(stranger.browser)]).toEqual([200, 200]);
    kept.say('join_global', { userId: member.id });
    await kept.hear('joined_global');
    kept.close();
  });
});

describe('guesses at the current password', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api?.close());

  it('are limited for the browser that makes them: ten, then not even the right one is taken', async () => {
    const [member, other] = [await api.member(), await api.member()];
    expect((await signIn(member, 'wrong password', member.browser)).status).toBe(401);
    // All at once: none may slip through because others are still being checked.
    const answers = await Promise.all(Array.from({ length: 12 }, () => change(member, 'wrong password')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(9).fill(403),
      ...Array(3).fill(429),
    ]);
    const refused = await change(member, member.password);
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
    expect((await signIn(member, member.password, member.browser)).status).toBe(429);
    expect(await statusOf(member.browser)).toBe(200);
    // Somebody who found one browser open cannot lock the member out of another.
    const elsewhereSignedIn = await elsewhere(member, api);
    expect((await change(elsewhereSignedIn, member.password, member.password)).status).toBe(200);
    expect((await change(other, other.password)).status).toBe(200);
  });

  it('count only when they are wrong', async () => {
    const member = await api.member();
    for (let n = 0; n < 12; n++) expect((await change(member, member.password, member.password)).status).toBe(200);
  });
});
