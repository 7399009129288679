import { AppError } from '../../apps/api/src/platform/errors/app-error.js';
import { RateLimits } from '../../apps/api/src/platform/rate-limit/rate-limits.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import {
  anotherBrowser,
  authorizationRequest,
  authorize,
  bearer,
  credentials,
  decide,
  exchange,
  giveConsent,
  location,
  pkce,
  registerApplication,
  sendForm,
  type TestApplication,
  type Tokens,
  tokensFor,
} from '../support/oauth.js';
import { whileFirstStands } from '../support/standing-table.js';

/** Requests that must not work (RFC 6749, 6750, 7009, 7636, 9700), and must have no effect. */
describe('what the OAuth provider refuses', () => {
  let api: TestApi;
  let developer: TestMember;
  let member: TestMember;
  let application: TestApplication;
  let other: TestApplication;
  let open: TestApplication;
  beforeAll(async () => {
    api = await startTestApi({ atPublicUrl: true, environment: { RATE_LIMIT_FACTOR: '100' } });
    developer = await api.member();
    member = await api.member();
    application = await registerApplication(developer);
    other = await registerApplication(developer);
    open = await registerApplication(developer, { isPublic: true });
  });
  afterAll(() => api?.close());

  const count = async (condition: string): Promise<number> => {
    const { rows } = await api.database.pool.query(
      `select count(*)::int as count from oauth_payloads where ${condition}`,
    );
    return rows[0].count;
  };
  const tokensOf = ({ clientId }: TestApplication) =>
    count(`model in ('AccessToken', 'RefreshToken') and client_id = '${clientId}'`);
  /** A new code, with its verifier and address. */
  const coded = async (by: TestApplication, parameters: Record<string, string> = {}) => {
    const back = await giveConsent(member.browser, authorizationRequest(by, { prompt: 'consent', ...parameters }));
    return back.searchParams.get('code') ?? '';
  };
  const isRefusedPage = (answer: { status: number; headers: Headers; body: string }) => {
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.body).toContain('This sign-in cannot continue');
  };

  describe('at /oauth/authorize', () => {
    it.each([
      ['one character more', (uri: string) => `${uri}/`],
      ['one character less', (uri: string) => uri.slice(0, -1)],
      ['another case', (uri: string) => uri.replace('/callback', '/Callback')],
      ['a query', (uri: string) => `${uri}?to=elsewhere`],
      ['a fragment', (uri: string) => `${uri}#part`],
      ['a host that only begins alike', (uri: string) => uri.replace('.com', '.com.evil.example')],
      ['a user name', (uri: string) => uri.replace('://', '://app.example.com@')],
      ['JavaScript', () => 'javascript:alert(document.cookie)'],
      ['nothing', () => ''],
    ])('never goes to a redirect URI with %s', async (_what, spoil) => {
      const redirect_uri = spoil(application.redirectUri);
      isRefusedPage(await authorize(member.browser, authorizationRequest(application, { redirect_uri })));
    });

    it('does not know unregistered, and shows hostile text as text', async () => {
      const hostile = '<script>alert(1)</script>';
      const answer = await authorize(member.browser, authorizationRequest({ ...application, clientId: hostile }));
      isRefusedPage(answer);
      expect(answer.body).not.toContain(hostile);
    });

    it.each([
      ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
      ['a scope that is not registered', { scope: 'openid email' }, 'invalid_scope'],
      ['a plain challenge', { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
      ['no challenge at a public client', {}, 'invalid_request'],
    ])('tells the application about %s', async (_what, parameters, error) => {
      const narrow = await registerApplication(developer, { scopes: ['openid', 'profile'], isPublic: true });
      const back = location(await authorize(member.browser, authorizationRequest(narrow, parameters)));
      expect(back.origin + back.pathname).toBe(narrow.redirectUri);
      // In the fragment, where the response type would put it.
      const answered = new URLSearchParams(back.search || back.hash.slice(1));
      expect(answered.get('error')).toBe(error);
    });

    it('takes no parameter twice', async () => {
      const request = authorizationRequest(application);
      request.append('redirect_uri', 'https://evil.example');
      isRefusedPage(await authorize(member.browser, request));
    });
  });

  describe('at /oauth/token', () => {
    it('a code used twice: its tokens die', async () => {
      const code = await coded(application);
      const { body } = await exchange(api, application, { code });
      expect((await api.browser().get('/oauth/userinfo', bearer(body.access_token))).status).toBe(200);
      expect(await exchange(api, application, { code })).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
      expect((await api.browser().get('/oauth/userinfo', bearer(body.access_token))).status).toBe(401);
    });

    it('a code used many times at once: once at most, and nothing lives that came of it', async () => {
      const code = await coded(application);
      const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(api, application, { code })));
      const won = answers.filter(({ status }) => status === 200);
      expect(won.length).toBeLessThanOrEqual(1);
      for (const { body } of won) {
        expect((await api.browser().get('/oauth/userinfo', bearer(body.access_token))).status).toBe(401);
      }
      for (const { status, body } of answers) if (status !== 200) expect(body.error).toBe('invalid_grant');
    });

    it('a refresh token used many times at once: nothing lives that came of it', async () => {
      const tokens = await tokensFor(api, member, application, { scopes: ['openid'] });
      const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
      const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(api, application, fields)));
      const won = answers.filter(({ status }) => status === 200);
      expect(won.length).toBeLessThanOrEqual(1);
      for (const { body } of won) {
        const again = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
        expect((await exchange(api, application, again)).status).toBe(400);
      }
    });

    it('a refresh token that was used before: everything of that sign-in ends', async () => {
      const first = await tokensFor(api, member, application, { scopes: ['openid'] });
      const fields = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
      const second = (await exchange(api, application, fields)).body;
      expect(await exchange(api, application, fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      for (const { access_token, refresh_token } of [first, second]) {
        expect((await api.browser().get('/oauth/userinfo', bearer(access_token))).status).toBe(401);
        expect((await exchange(api, application, { grant_type: 'refresh_token', refresh_token })).status).toBe(400);
      }
    });

    it('a refresh token once its consent has ended, a year after it was given, however often it was renewed', async () => {
      const renewing = await registerApplication(developer);
      const endOfConsent = async (): Promise<number> => {
        const { rows } = await api.database.pool.query<{ days: number }>(
          `select max(extract(epoch from expires_at - now()) / 86400) as days from oauth_payloads
           where model = 'Grant' and client_id = $1`,
          [renewing.clientId],
        );
        return Number(rows[0]?.days);
      };
      const renew = (refresh_token: string) => exchange(api, renewing, { grant_type: 'refresh_token', refresh_token });
      let { refresh_token } = await tokensFor(api, member, renewing, { scopes: ['openid'] });
      expect(await endOfConsent()).toBeGreaterThan(364);
      await api.database.pool.query(
        `update oauth_payloads set expires_at = now() + interval '1 day'
         where model = 'Grant' and client_id = $1 and expires_at between now() + interval '364 days' and now() + interval '365 days'`,
        [renewing.clientId],
      );
      for (let renewals = 0; renewals < 3; renewals += 1) {
        const { status, body } = await renew(refresh_token);
        expect(status).toBe(200);
        ({ refresh_token } = body);
      }
      // No renewal has moved the end.
      expect(await endOfConsent()).toBeLessThanOrEqual(1);
      await api.database.pool.query(
        `update oauth_payloads set expires_at = now() where model = 'Grant' and client_id = $1`,
        [renewing.clientId],
      );
      expect(await renew(refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    });

    it.each(['a refresh token that was used before', 'a revoked one'])('%s: other sign-ins live on', async (how) => {
      const first = await tokensFor(api, member, application, { scopes: ['openid'] });
      const browser = await anotherBrowser(api, member);
      const back = await giveConsent(browser, authorizationRequest(application, { scope: 'openid' }));
      const { body: second } = await exchange(api, application, { code: back.searchParams.get('code') ?? '' });
      const renewed = ({ refresh_token }: Tokens) =>
        exchange(api, application, { grant_type: 'refresh_token', refresh_token });
      if (how === 'a revoked one') {
        await sendForm(api, '/oauth/revoke', { token: first.refresh_token, ...credentials(application) });
      } else {
        await renewed(first);
      }
      expect((await renewed(first)).status).toBe(400);
      expect((await api.browser().get('/oauth/userinfo', bearer(first.access_token))).status).toBe(401);
      expect((await api.browser().get('/oauth/userinfo', bearer(second.access_token))).status).toBe(200);
      expect((await renewed(second)).status).toBe(200);
    });

    it.each(['access_token', 'refresh_token'] as const)('a renewal while its %s is revoked', async (revoked) => {
      const used = await registerApplication(developer);
      const tokens = await tokensFor(api, member, used, { scopes: ['openid'] });
      const { refresh_token } = tokens;
      const { first } = await whileFirstStands(api.database.pool, 'insert on oauth_payloads', {
        first: () => exchange(api, used, { grant_type: 'refresh_token', refresh_token }),
        second: () => sendForm(api, '/oauth/revoke', { token: tokens[revoked], ...credentials(used) }),
      });
      expect((await api.browser().get('/oauth/userinfo', bearer(first.body.access_token))).status).toBe(401);
      const again = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token };
      expect((await exchange(api, used, again)).status).toBe(400);
      // What the member granted stays granted.
      const back = location(await authorize(member.browser, authorizationRequest(used, { scope: 'openid' })));
      expect(back.searchParams.get('code')).toEqual(expect.any(String));
    });

    it('a code of another client', async () => {
      const code = await coded(application);
      const before = await tokensOf(other);
      expect(await exchange(api, other, { code })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect(await tokensOf(other)).toBe(before);
    });

    it('a code with another redirect URI than it was asked with', async () => {
      const code = await coded(application);
      const redirect_uri = `${application.redirectUri}/`;
      expect(await exchange(api, application, { code, redirect_uri })).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
    });

    it.each(['public', 'confidential'])('a wrong verifier, or none, of a %s client', async (kind) => {
      const by = kind === 'public' ? open : application;
      const { challenge } = pkce();
      const code = await coded(by, { code_challenge: challenge, code_challenge_method: 'S256' });
      const before = await tokensOf(by);
      for (const proof of [{ code_verifier: pkce().verifier }, undefined]) {
        expect(await exchange(api, by, { code, ...proof })).toMatchObject({
          status: 400,
          body: { error: 'invalid_grant' },
        });
      }
      expect(await tokensOf(by)).toBe(before);
    });

    it('a code that has expired', async () => {
      const code = await coded(application);
      await api.database.pool.query(
        `update oauth_payloads set expires_at = now(), payload = payload || '{"exp": 1}' where model = 'AuthorizationCode'`,
      );
      expect(await exchange(api, application, { code })).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
    });

    it.each([
      ['a wrong secret', (by: TestApplication) => ({ ...credentials(by), client_secret: `${by.clientSecret}x` })],
      ['no secret', ({ clientId }: TestApplication) => ({ client_id: clientId })],
      ['an empty secret', ({ clientId }: TestApplication) => ({ client_id: clientId, client_secret: '' })],
      ['an unknown client', () => ({ client_id: 'nobody', client_secret: 'nothing' })],
    ])('%s', async (_what, proof) => {
      const code = await coded(application);
      const fields = { grant_type: 'authorization_code', code, redirect_uri: application.redirectUri };
      const answer = await sendForm(api, '/oauth/token', { ...fields, ...proof(application) });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    });

    it('the hash of a secret, as somebody who has read the database knows it', async () => {
      const { rows } = await api.database.pool.query(
        'select secret_hash from oauth_applications where client_id = $1',
        [application.clientId],
      );
      const code = await coded(application);
      const answer = await exchange(api, application, { code, client_secret: rows[0].secret_hash });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    });

    describe('a flood', () => {
      const flooded = () => {
        const limiter = api.nova.app.get(RateLimits, { strict: false }).oauthRequests;
        return jest.spyOn(limiter, 'take').mockImplementation(() => {
          throw new AppError(429, 'TOO_MANY_REQUESTS', 'Slow down.', { retryAfterSeconds: 7 });
        });
      };
      afterEach(() => jest.restoreAllMocks());

      it('with Retry-After, in the words of OAuth and in ours', async () => {
        const take = flooded();
        const answer = await sendForm(api, '/oauth/token', credentials(application));
        expect(take).toHaveBeenCalledTimes(1);
        expect(answer).toMatchObject({
          status: 429,
          body: { code: 'TOO_MANY_REQUESTS', error: 'temporarily_unavailable', error_description: 'Slow down.' },
        });
        expect(answer.headers.get('retry-after')).toBe('7');
      });

      it.each(['token', 'userinfo', 'revoke', 'introspect'])('so that pages can read it: %s', async (call) => {
        flooded();
        const origin = 'https://app.example.com';
        const asked = { origin, 'access-control-request-method': 'POST' };
        const preflight = await api.browser().send('OPTIONS', `/oauth/${call}`, { headers: asked });
        expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
        const { status, headers } = await sendForm(api, `/oauth/${call}`, credentials(open), { origin });
        expect([status, headers.get('access-control-allow-origin')]).toEqual([429, '*']);
        expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
      });
    });

    it.each(['password', 'implicit', 'x'])('grant type %s', async (grant_type) => {
      const answer = await sendForm(api, '/oauth/token', { grant_type, ...credentials(application) });
      expect(answer).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
    });

    it('more scopes at a renewal than were granted', async () => {
      const tokens = await tokensFor(api, member, application, { scopes: ['openid', 'profile'] });
      const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, scope: 'openid nova' };
      expect(await exchange(api, application, fields)).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    });

    it.each([
      ['JSON', 'application/json', '{}'],
      ['too much', 'application/x-www-form-urlencoded', 'a'.repeat(70_000)],
      ['nothing', 'application/x-www-form-urlencoded', ''],
      ['bytes that are no text', 'application/x-www-form-urlencoded', '%ff%00=%'],
    ])('%s, without failing', async (_what, type, body) => {
      const answer = await api.browser().send('POST', '/oauth/token', { body, headers: { 'content-type': type } });
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    });
  });

  describe('at /oauth/userinfo, /oauth/introspect and /oauth/revoke', () => {
    it.each([
      ['a token that never was', 'nothing'],
      ['an empty one', ''],
    ])('%s', async (_what, token) => {
      const answer = await api.browser().get('/oauth/userinfo', bearer(token));
      expect([400, 401]).toContain(answer.status);
    });

    it('a token that has expired', async () => {
      const tokens = await tokensFor(api, member, application, { scopes: ['openid'] });
      await api.database.pool.query(`update oauth_payloads set expires_at = now() where model = 'AccessToken'`);
      const answer = await api.browser().get('/oauth/userinfo', bearer(tokens.access_token));
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    });

    it('a token without openid', async () => {
      const { refresh_token } = await tokensFor(api, member, application, { scopes: ['openid', 'nova'] });
      const renewed = await exchange(api, application, { grant_type: 'refresh_token', refresh_token, scope: 'nova' });
      const answer = await api.browser().get('/oauth/userinfo', bearer(renewed.body.access_token));
      expect(answer).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
    });

    it('a session cookie in place of a token, and a token in an address', async () => {
      const { access_token } = await tokensFor(api, member, application, { scopes: ['openid'] });
      expect((await member.browser.get('/oauth/userinfo')).status).toBe(401);
      expect((await api.browser().get(`/oauth/userinfo?access_token=${access_token}`)).status).toBe(400);
    });

    it('the token of another client: not active to whoever asks, and not theirs to revoke', async () => {
      const { access_token } = await tokensFor(api, member, application, { scopes: ['openid'] });
      const asked = await sendForm(api, '/oauth/introspect', { token: access_token, ...credentials(other) });
      expect(asked).toMatchObject({ status: 200, body: { active: false } });
      const revoked = await sendForm(api, '/oauth/revoke', { token: access_token, ...credentials(other) });
      expect(revoked).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
      expect((await api.browser().get('/oauth/userinfo', bearer(access_token))).status).toBe(200);
    });

    it('whoever does not prove to be a client', async () => {
      for (const path of ['/oauth/introspect', '/oauth/revoke']) {
        const answer = await sendForm(api, path, { token: 'x', client_id: application.clientId });
        expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      }
    });

    it('pages of confidential clients at the token call: secrets have no place there', async () => {
      const origin = { origin: 'https://app.example.com' };
      const allowed = (answer: { headers: Headers }) => answer.headers.get('access-control-allow-origin');
      const asked = { ...origin, 'access-control-request-method': 'POST' };
      const preflight = await api.browser().send('OPTIONS', '/oauth/token', { headers: asked });
      expect(preflight.status).toBe(204);
      const fields = { grant_type: 'refresh_token', refresh_token: 'x' };
      const own = await sendForm(api, '/oauth/token', { ...fields, ...credentials(open) }, origin);
      expect([own.body.error, allowed(own)]).toEqual(['invalid_grant', origin.origin]);
      const secret = await sendForm(api, '/oauth/token', { ...fields, ...credentials(application) }, origin);
      expect([secret.body.error, allowed(secret)]).toEqual(['invalid_request', null]);
    });

    it('pages of origins that no redirect URI names', async () => {
      const { access_token } = await tokensFor(api, member, application, { scopes: ['openid'] });
      const from = (origin: string) => api.browser().get('/oauth/userinfo', { ...bearer(access_token), origin });
      const own = await from('https://app.example.com');
      expect(own.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
      const foreign = await from('https://evil.example');
      expect(foreign.status).toBe(400);
      expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    });
  });

  describe('at /api/oauth/consent', () => {
    const screen = async (parameters: Record<string, string> = {}) =>
      location(
        await authorize(member.browser, authorizationRequest(application, { prompt: 'consent', ...parameters })),
      );
    const grants = () => count(`model = 'Grant'`);

    it.each([
      ['origin', 'https://evil.example'],
      ['sec-fetch-site', 'cross-site'],
    ])('a decision that another site posts, by its %s', async (header, value) => {
      const shown = (await screen()).searchParams;
      const before = await grants();
      const decision = {
        client_id: shown.get('client_id'),
        redirect_uri: shown.get('redirect_uri'),
        state: shown.get('state'),
        scopes: ['openid', 'nova'],
        approved: true,
      };
      expect(await member.browser.post('/api/oauth/consent', decision, { [header]: value })).toMatchObject({
        status: 403,
        body: { code: 'FOREIGN_ORIGIN' },
      });
      expect(await grants()).toBe(before);
    });

    it('a decision of nobody', async () => {
      expect(await decide(api.browser(), await screen())).toMatchObject({ status: 401 });
    });

    it.each(['javascript:alert(1)', 'https://evil.example/', 'https://app.example.com/callback/'])(
      'a decision for %s',
      async (redirectUri) => {
        const shown = await screen();
        shown.searchParams.set('redirect_uri', redirectUri);
        for (const approved of [true, false]) {
          expect(await decide(member.browser, shown, { approved })).toMatchObject({
            status: 400,
            body: { code: 'INVALID_REDIRECT_URI' },
          });
        }
      },
    );

    it('a decision for an application that there is not', async () => {
      const shown = await screen();
      shown.searchParams.set('client_id', 'nobody');
      expect(await decide(member.browser, shown)).toMatchObject({
        status: 404,
        body: { code: 'APPLICATION_NOT_FOUND' },
      });
    });

    it('scopes that were not asked for', async () => {
      const request = authorizationRequest(application, { scope: 'openid profile', prompt: 'consent' });
      const back = await giveConsent(member.browser, request, { scopes: ['openid', 'profile', 'nova'] });
      const { body } = await exchange(api, application, { code: back.searchParams.get('code') ?? '' });
      expect(body.scope).toBe('openid profile');
    });

    it.each([-1, 1_000_000.01, 0.001, '5', null])('a daily limit of %j', async (dailyLimit) => {
      const shown = await screen({ scope: 'openid nova' });
      const answer = await decide(member.browser, shown, { dailyLimit });
      expect(answer).toMatchObject(
        dailyLimit === null ? { status: 200 } : { status: 400, body: { code: 'INVALID_AMOUNT' } },
      );
    });

    it('a decision that was taken before', async () => {
      const shown = await screen();
      const first = await decide(member.browser, shown);
      await member.browser.get(first.body.redirect_url);
      const before = await grants();
      // It starts anew: the waiting request is over.
      const second = await decide(member.browser, shown);
      expect(new URL(second.body.redirect_url).pathname).toBe('/oauth/authorize');
      expect(await grants()).toBe(before);
    });
  });
});
