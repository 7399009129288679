import { AccessTokens } from '../../apps/api/src/oauth/access-tokens.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import {
  authorizationRequest,
  authorize,
  bearer,
  decide,
  exchange,
  giveConsent,
  location,
  registerApplication,
  type TestApplication,
  tokensFor,
} from '../support/oauth.js';

const terms = { tcConsent: true, tcVersion: '1.0' };

/** The provider's account is always the product session's (rule oauth-18). */
describe('whom the OAuth provider speaks of', () => {
  let api: TestApi;
  let admin: TestMember;
  let application: TestApplication;
  beforeAll(async () => {
    api = await startTestApi({
      environment: { RATE_LIMIT_FACTOR: '100', ADMIN_EMAIL: 'admin@example.com' },
    });
    admin = await api.member({ email: 'admin@example.com' });
    application = await registerApplication(await api.member());
  });
  afterAll(() => api?.close());

  const silently = async (browser: TestMember['browser'], parameters: Record<string, string> = {}) => {
    const request = authorizationRequest(application, { prompt: 'none', scope: 'openid', ...parameters });
    return location(await authorize(browser, request)).searchParams;
  };
  const subject = async (code: string | null) => {
    const { body } = await exchange(api, application, { code: code ?? '' });
    return (await api.browser().get('/oauth/userinfo', bearer(body.access_token))).body.sub;
  };
  const signIn = (browser: TestMember['browser'], { email, password }: TestMember) =>
    browser.post('/api/auth/signin', { email, password, ...terms });
  const renew = async (refresh_token: string) =>
    (await exchange(api, application, { grant_type: 'refresh_token', refresh_token })).status;

  it('asks a visitor to sign in on the way, and goes on as whoever that is', async () => {
    const member = await api.member();
    const visitor = api.browser();
    const screen = location(await authorize(visitor, authorizationRequest(application)));
    expect(Object.fromEntries(screen.searchParams)).toEqual({
      client_id: application.clientId,
      redirect_uri: application.redirectUri,
      response_type: 'code',
      scope: 'openid profile',
      state: 'a state of its own',
    });
    expect((await decide(visitor, screen)).status).toBe(401);
    const fresh = location(await authorize(api.browser(), authorizationRequest(application, { prompt: 'login' })));
    expect(fresh.searchParams.has('prompt')).toBe(false);
    await signIn(visitor, member);
    const { body } = await decide(visitor, screen);
    const back = location(await visitor.get(body.redirect_url));
    expect(await subject(back.searchParams.get('code'))).toBe(member.id);
  });

  it('follows the product when another member signs in at the same browser', async () => {
    const [first, second] = [await api.member(), await api.member()];
    const { browser } = first;
    await tokensFor(api, first, application, { scopes: ['openid'] });
    expect(await subject((await silently(browser)).get('code'))).toBe(first.id);
    await signIn(browser, second);
    // This member has consented to nothing.
    expect((await silently(browser)).get('error')).toBe('consent_required');
    await giveConsent(browser, authorizationRequest(application, { scope: 'openid' }));
    expect(await subject((await silently(browser)).get('code'))).toBe(second.id);
  });

  it('takes no decision of one member for another who began', async () => {
    const [first, second] = [await api.member(), await api.member()];
    const { browser } = first;
    const request = authorizationRequest(application, { scope: 'openid', nonce: 'a nonce' });
    const screen = location(await authorize(browser, request));
    await signIn(browser, second);
    const { body } = await decide(browser, screen);
    // It starts again, with everything that the application had asked for.
    expect(new URL(body.redirect_url).searchParams.get('nonce')).toBe('a nonce');
    const shown = location(await browser.get(body.redirect_url));
    expect(shown.pathname).toBe('/oauth/consent');
    const decided = await decide(browser, shown);
    const back = location(await browser.get(decided.body.redirect_url));
    expect(await subject(back.searchParams.get('code'))).toBe(second.id);
  });

  it('signed out is signed out here too, while tokens live on', async () => {
    const member = await api.member();
    const tokens = await tokensFor(api, member, application, { scopes: ['openid'] });
    await member.browser.post('/api/auth/signout');
    expect((await silently(member.browser)).get('error')).toBe('login_required');
    expect((await api.browser().get('/oauth/userinfo', bearer(tokens.access_token))).status).toBe(200);
    expect(await renew(tokens.refresh_token)).toBe(200);
  });

  it('a new password ends sessions, here too', async () => {
    const member = await api.member();
    await tokensFor(api, member, application, { scopes: ['openid'] });
    const { email, pin } = member;
    await api.browser().post('/api/auth/recover', { email, pin, newPassword: 'another good one' });
    expect((await silently(member.browser)).get('error')).toBe('login_required');
  });

  it('a consent without a waiting request starts one, and a refusal goes back to the application', async () => {
    const { browser } = await api.member();
    const screen = new URL(`/oauth/consent?${authorizationRequest(application).toString()}`, api.url);
    const { body } = await decide(browser, screen);
    const started = new URL(body.redirect_url);
    expect(started.origin + started.pathname).toBe(`${api.url}/oauth/authorize`);
    expect(started.searchParams.get('state')).toBe('a state of its own');
    expect(location(await browser.get(started.href)).pathname).toBe('/oauth/consent');
    const refused = await decide(api.browser(), screen, { approved: false });
    expect(refused.status).toBe(401);
  });

  it('a deleted account takes its tokens with it, and those of its applications', async () => {
    const developer = await api.member();
    const member = await api.member();
    const theirs = await registerApplication(developer, {
      description: 'Made by somebody',
      logoUrl: 'https://a.example/l',
    });
    const asMember = await tokensFor(api, developer, application, { scopes: ['openid', 'nova'] });
    const atTheirs = await tokensFor(api, member, theirs, { scopes: ['openid', 'nova'] });
    const tokens = api.nova.app.get(AccessTokens, { strict: false });
    expect(await tokens.find(asMember.access_token)).toBeDefined();
    expect(await tokens.find(atTheirs.access_token)).toBeDefined();
    expect((await admin.browser.delete(`/api/admin/users/${developer.id}`)).status).toBe(200);
    for (const { access_token } of [asMember, atTheirs]) {
      expect(await tokens.find(access_token)).toBeUndefined();
      expect((await api.browser().get('/oauth/userinfo', bearer(access_token))).status).toBe(401);
    }
    expect(await renew(asMember.refresh_token)).toBe(400);
    expect(
      (await exchange(api, theirs, { grant_type: 'refresh_token', refresh_token: atTheirs.refresh_token })).status,
    ).toBe(401);
    expect((await authorize(member.browser, authorizationRequest(theirs))).status).toBe(400);
  });
});
