import { AccountSecrets } from '../../apps/api/src/identity/account-secrets.js';
import { SecurityNotices } from '../../apps/api/src/identity/security-notices.js';
import { startTestApi, type TestApi, type TestBrowser, type TestMember } from '../support/api.js';
import { authorizationRequest, type Decision, giveConsent, registerApplication } from '../support/oauth.js';

const terms = { tcConsent: true, tcVersion: '1.0' };
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

interface Notice {
  readonly id: string;
  readonly kind: string;
  readonly message: string;
  readonly isUnseen: boolean;
}

describe('security notices', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api?.close());

  const noticesOf = async (browser: TestBrowser): Promise<Notice[]> => {
    const { status, headers, body } = await browser.get('/api/auth/security-notices');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    return body.notices;
  };
  const seen = (browser: TestBrowser, newestId: string) =>
    browser.post('/api/auth/security-notices/seen', { newestId });
  async function signedIn({ email, password }: TestMember, userAgent = CHROME): Promise<TestBrowser> {
    const browser = api.browser();
    const answer = await browser.post('/api/auth/signin', { email, password, ...terms }, { 'user-agent': userAgent });
    expect(answer.status).toBe(200);
    return browser;
  }

  it('tell of a new device, but not of the one that registered, nor of one that is known', async () => {
    const member = await api.member();
    expect(await noticesOf(member.browser)).toEqual([]);
    const { email, password } = member;
    expect((await member.browser.post('/api/auth/signin', { email, password, ...terms })).status).toBe(200);
    expect(await noticesOf(member.browser)).toEqual([]);
    await signedIn(member);
    expect(await noticesOf(member.browser)).toMatchObject([
      { kind: 'new_device', message: 'A new device signed in to your account: Chrome.', isUnseen: true },
    ]);
  });

  it('are seen on each device by itself, so that a thief cannot see them away for the owner', async () => {
    const member = await api.member();
    const thief = await signedIn(member);
    const [own] = await noticesOf(thief);
    // A device gets no notice about itself.
    expect(own).toMatchObject({ kind: 'new_device', isUnseen: false });
    await api.nova.app.get(SecurityNotices).tell(member.id, { kind: 'passkey_added', name: '<b>mine</b>' });
    const [newest] = await noticesOf(thief);
    expect(newest).toMatchObject({ message: 'The passkey “<b>mine</b>” was added to your account.', isUnseen: true });
    expect((await seen(thief, newest?.id ?? '')).status).toBe(200);
    expect((await noticesOf(thief)).map(({ isUnseen }) => isUnseen)).toEqual([false, false]);
    expect((await noticesOf(member.browser)).map(({ isUnseen }) => isUnseen)).toEqual([true, true]);
  });

  it('stay unseen when they came after the one that was shown, and seen when an older one is marked later', async () => {
    const member = await api.member();
    const notices = api.nova.app.get(SecurityNotices);
    await notices.tell(member.id, { kind: 'pin_changed', by: 'admin' });
    const [older] = await noticesOf(member.browser);
    await notices.tell(member.id, { kind: 'recovered', by: 'pin' });
    await seen(member.browser, older?.id ?? '');
    const [newer] = await noticesOf(member.browser);
    expect((await noticesOf(member.browser)).map(({ isUnseen }) => isUnseen)).toEqual([true, false]);
    await seen(member.browser, newer?.id ?? '');
    await seen(member.browser, older?.id ?? '');
    expect((await noticesOf(member.browser)).map(({ isUnseen }) => isUnseen)).toEqual([false, false]);
  });

  it('tell of changed and recovered secrets, and of who changed them', async () => {
    const member = await api.member();
    const { email, password, pin } = member;
    const change = { currentPassword: password, newPassword: 'quite another horse' };
    expect((await member.browser.post('/api/auth/password', change)).status).toBe(200);
    expect(await noticesOf(member.browser)).toMatchObject([
      { kind: 'password_changed', message: 'Your password was changed.' },
    ]);
    const recovery = { email, pin, newPassword: 'a third horse of ours' };
    expect((await api.browser().post('/api/auth/recover', recovery)).status).toBe(200);
    await api.nova.app.get(AccountSecrets).reset(member.id, { kind: 'pin', secret: '8402' });
    const browser = await signedIn({ ...member, password: recovery.newPassword });
    expect((await noticesOf(browser)).map(({ kind, message }) => [kind, message])).toEqual([
      ['new_device', expect.anything()],
      ['pin_changed', 'An admin set a new recovery PIN for your account.'],
      ['recovered', 'Your password was reset with your recovery PIN. All devices were signed out.'],
      ['password_changed', 'Your password was changed.'],
    ]);
  });

  it('tell of a consent that lets an application spend, and of a higher limit, on other devices', async () => {
    const [developer, member] = [await api.member(), await api.member()];
    const application = await registerApplication(developer, { name: 'Pocket <i>' });
    const other = await signedIn(member);
    await seen(member.browser, (await noticesOf(member.browser))[0]?.id ?? '');
    const consent = (scopes: string[], decision: Decision = {}) => {
      const request = authorizationRequest(application, { scope: scopes.join(' '), prompt: 'consent' });
      return giveConsent(member.browser, request, { scopes, ...decision });
    };
    const spending = async () => (await noticesOf(other)).filter(({ kind }) => kind === 'spending_consent');
    await consent(['openid', 'profile']);
    expect(await spending()).toEqual([]);
    await consent(['openid', 'nova']);
    expect(await spending()).toMatchObject([
      { message: 'You allowed “Pocket <i>” to spend up to 5,000 Nova a day for you.', isUnseen: true },
    ]);
    expect((await noticesOf(member.browser))[0]).toMatchObject({ kind: 'spending_consent', isUnseen: false });
    await consent(['openid', 'nova']);
    await consent(['openid', 'nova'], { dailyLimit: 4_000 });
    expect(await spending()).toHaveLength(1);
    await consent(['openid', 'nova'], { dailyLimit: 9_000 });
    expect((await spending())[0]?.message).toContain('up to 9,000 Nova a day');
  });

  it('are kept to the newest fifty of each member', async () => {
    const [member, other] = [await api.member(), await api.member()];
    const notices = api.nova.app.get(SecurityNotices);
    await notices.tell(other.id, { kind: 'password_changed', by: 'member' });
    for (let hours = 1; hours <= 52; hours++) await notices.tell(member.id, { kind: 'recovery_paused', hours });
    const kept = await noticesOf(member.browser);
    expect(kept).toHaveLength(50);
    expect(kept[0]?.message).toContain('52 hours');
    expect(await noticesOf(other.browser)).toHaveLength(1);
  });

  it('are nobody else’s', async () => {
    const [member, other] = [await api.member(), await api.member()];
    await api.nova.app.get(SecurityNotices).tell(member.id, { kind: 'recovered', by: 'pin' });
    const [notice] = await noticesOf(member.browser);
    expect(await noticesOf(other.browser)).toEqual([]);
    expect((await seen(other.browser, notice?.id ?? '')).status).toBe(200);
    expect((await noticesOf(member.browser))[0]?.isUnseen).toBe(true);
    expect((await api.browser().get('/api/auth/security-notices')).status).toBe(401);
    expect(await seen(member.browser, 'none')).toMatchObject({ status: 400, body: { code: 'INVALID_NOTICE' } });
  });
});
