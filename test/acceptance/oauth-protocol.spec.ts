import { Auth, type AuthConfig } from '@auth/core';
import { startTestApi, TestBrowser, type TestApi, type TestMember } from '../support/api.js';
import {
  authorizationRequest,
  authorize,
  credentials,
  decide,
  exchange,
  giveConsent,
  location,
  pkce,
  registerApplication,
  sendForm,
  type TestApplication,
} from '../support/oauth.js';

/** What clients of the ecosystem expect beside the plain flow. */
describe('the protocol as clients expect it', () => {
  let api: TestApi;
  let developer: TestMember;
  let member: TestMember;
  beforeAll(async () => {
    api = await startTestApi({ atPublicUrl: true, environment: { RATE_LIMIT_FACTOR: '100' } });
    developer = await api.member();
    member = await api.member({ displayName: 'Grace Hopper' });
  });
  afterAll(() => api?.close());

  const challenged = () => {
    const { verifier, challenge } = pkce();
    return { verifier, parameters: { code_challenge: challenge, code_challenge_method: 'S256' } };
  };
  /** Signs in with a program on the member's machine that asks to come back to this address. */
  const signIn = async (application: TestApplication, redirect_uri: string) => {
    const { verifier, parameters } = challenged();
    const request = authorizationRequest(application, { ...parameters, redirect_uri });
    const back = await giveConsent(member.browser, request);
    const code = back.searchParams.get('code') ?? '';
    return { back, tokens: await exchange(api, application, { code, code_verifier: verifier, redirect_uri }) };
  };
  const isRefusedPage = async (application: TestApplication, redirect_uri: string) => {
    const { parameters } = challenged();
    const answer = await authorize(member.browser, authorizationRequest(application, { ...parameters, redirect_uri }));
    expect([redirect_uri, answer.status, answer.headers.get('location')]).toEqual([redirect_uri, 400, null]);
    const shown = new URL('http://nova.test/oauth/consent');
    shown.search = authorizationRequest(application, { redirect_uri }).toString();
    expect((await decide(member.browser, shown)).body).toMatchObject({ code: 'INVALID_REDIRECT_URI' });
  };

  describe('programs on the machine of a member (RFC 8252)', () => {
    let native: TestApplication;
    beforeAll(async () => {
      const redirectUris = [
        'http://127.0.0.1/callback',
        'http://[::1]:4000/callback',
        'http://localhost:4000/callback',
      ];
      native = await registerApplication(developer, { redirectUris, isPublic: true });
    });

    it.each(['http://127.0.0.1:49152/callback', 'http://127.0.0.1:1/callback', 'http://[::1]:65535/callback'])(
      'listen at whatever port is free: %s',
      async (uri) => {
        const { back, tokens } = await signIn(native, uri);
        expect(back.href.startsWith(`${uri}?`)).toBe(true);
        expect(tokens.status).toBe(200);
      },
    );

    it('exchange the code with the port that they asked with, and no other', async () => {
      const { verifier, parameters } = challenged();
      const request = authorizationRequest(native, { ...parameters, redirect_uri: 'http://127.0.0.1:5001/callback' });
      const code = (await giveConsent(member.browser, request)).searchParams.get('code') ?? '';
      const redirect_uri = 'http://127.0.0.1:5002/callback';
      expect(await exchange(api, native, { code, code_verifier: verifier, redirect_uri })).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
    });

    it.each([
      'http://localhost:4001/callback',
      'http://127.0.0.1.evil.com/callback',
      'http://127.0.0.1.evil.com:80/callback',
      'http://127.0.0.1:80@evil.com/callback',
      'http://127.0.0.1@evil.com/callback',
      'http://evil.com@127.0.0.1/callback',
      'http://127.0.0.1:80\\@evil.com/callback',
      'http://[::ffff:127.0.0.1]/callback',
      'http://127.0.0.2/callback',
      'http://127.1/callback',
      'http://2130706433/callback',
      'https://127.0.0.1:4000/callback',
      'http://127.0.0.1:4000/callback/',
      'http://127.0.0.1:4000/callback?to=evil.com',
      'http://127.0.0.1:4000/callback#evil',
      'http://127.0.0.1:0/callback',
      'com.example.app:/callback',
    ])('come back nowhere else: %s', (uri) => isRefusedPage(native, uri));

    it('may have a scheme of their own with a dot, ask each time, and need PKCE', async () => {
      const uri = 'com.example.app:/oauth/callback';
      const app = await registerApplication(developer, {
        redirectUris: [uri, 'http://127.8.0.1/cb', 'https://localhost/cb'],
        isPublic: true,
      });
      const { back, tokens } = await signIn(app, uri);
      expect(back.protocol + back.pathname).toBe(uri);
      expect(tokens.status).toBe(200);
      const again = location(
        await authorize(member.browser, authorizationRequest(app, { ...challenged().parameters, redirect_uri: uri })),
      );
      expect(again.pathname).toBe('/oauth/consent');
      const bare = location(await authorize(member.browser, authorizationRequest(app, { redirect_uri: uri })));
      expect(bare.searchParams.get('error')).toBe('invalid_request');
      for (const other of ['com.example.app:/oauth/callback/', 'com.example.app://oauth/callback', 'com.example:/'])
        await isRefusedPage(app, other);
      // A frame without an origin is no page of it.
      const { refresh_token } = tokens.body;
      const fields = { grant_type: 'refresh_token', refresh_token, ...credentials(app) };
      const framed = await sendForm(api, '/oauth/token', fields, { origin: 'null' });
      expect(framed.headers.get('access-control-allow-origin')).toBeNull();
    });

    it('have no scheme of their own where there is a secret, nor one without a dot', async () => {
      const register = (redirectUri: string, isPublic: boolean) =>
        developer.browser.post('/api/oauth/register-app', { name: 'App', redirectUris: [redirectUri], isPublic });
      for (const [uri, isPublic] of [
        ['com.example.app:/cb', false],
        ['myapp:/cb', true],
        ['javascript:alert(1)', true],
        ['com.example.app:/cb#x', true],
      ] as const) {
        expect(await register(uri, isPublic)).toMatchObject({ status: 400, body: { code: 'INVALID_REDIRECT_URI' } });
      }
      const { clientId } = await registerApplication(developer);
      const changed = await developer.browser.send('PATCH', `/api/oauth/application/${clientId}`, {
        body: { redirectUris: ['com.example.app:/cb'] },
      });
      expect(changed).toMatchObject({ status: 400, body: { code: 'INVALID_REDIRECT_URI' } });
    });
  });

  it('a developer demands PKCE of an application with a secret, and stops to', async () => {
    const application = await registerApplication(developer, { requirePkce: true });
    const request = authorizationRequest(application);
    const refused = location(await authorize(member.browser, request));
    expect(refused.origin + refused.pathname).toBe(application.redirectUri);
    expect(refused.searchParams.get('error')).toBe('invalid_request');
    const { verifier, parameters } = challenged();
    const back = await giveConsent(member.browser, authorizationRequest(application, parameters));
    const code = back.searchParams.get('code') ?? '';
    expect((await exchange(api, application, { code, code_verifier: verifier })).status).toBe(200);
    const path = `/api/oauth/application/${application.clientId}`;
    const changed = await developer.browser.send('PATCH', path, { body: { requirePkce: false } });
    expect(changed.body).toMatchObject({ requirePkce: false, isPublic: false, deviceFlow: false });
    expect((await giveConsent(member.browser, request)).searchParams.get('code')).toEqual(expect.any(String));
  });

  it('prompt=select_account means signing in, which another member can do, and is declared', async () => {
    const { body } = await api.browser().get('/.well-known/openid-configuration');
    expect(body).toMatchObject({
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      device_authorization_endpoint: `${api.url}/oauth/device_authorization`,
    });
    const application = await registerApplication(developer);
    const request = authorizationRequest(application, { prompt: 'select_account' });
    const late = await api.member();
    const before = `update sessions set created_at = created_at - interval '1 minute' where account_id = $1`;
    await api.database.pool.query(before, [late.id]);
    const screen = location(await authorize(late.browser, request));
    expect(screen.searchParams.get('prompt')).toBe('login');
    expect(await decide(late.browser, screen)).toMatchObject({ status: 401, body: { code: 'SIGN_IN_AGAIN' } });
    // Visitors sign in anyway.
    const visitor = location(await authorize(api.browser(), request));
    expect([visitor.pathname, visitor.searchParams.get('prompt')]).toEqual(['/oauth/consent', null]);
    const mixed = authorizationRequest(application, { prompt: 'none select_account' });
    expect(location(await authorize(member.browser, mixed)).searchParams.get('error')).toBe('invalid_request');
  });

  it('what a member refused is missing from scope, and can be asked for again', async () => {
    const application = await registerApplication(developer);
    const scope = 'openid profile email nova';
    const ask = async (prompt: string | undefined, scopes: string[]) => {
      const back = await giveConsent(member.browser, authorizationRequest(application, { scope, prompt }), { scopes });
      const { body } = await exchange(api, application, { code: back.searchParams.get('code') ?? '' });
      return body.scope;
    };
    expect(await ask(undefined, ['openid', 'profile'])).toBe('openid profile');
    // Without a screen the answer is what was granted; with one, the member is asked again.
    expect(await ask('none', [])).toBe('openid profile');
    expect(await ask(undefined, ['openid', 'profile', 'email', 'nova'])).toBe(scope);
  });

  it('pages in a window that an application opened do not cut it off; all others do', async () => {
    const application = await registerApplication(developer);
    const policyOf = async (path: string) => (await member.browser.get(path)).headers.get('cross-origin-opener-policy');
    const request = authorizationRequest(application);
    const first = await authorize(member.browser, request);
    expect(first.headers.get('cross-origin-opener-policy')).toBe('unsafe-none');
    const decided = await decide(member.browser, location(first));
    expect(await policyOf(decided.body.redirect_url)).toBe('unsafe-none');
    expect(await policyOf(`/oauth/authorize?${authorizationRequest(application, { redirect_uri: 'x' })}`)).toBe(
      'unsafe-none',
    );
    expect(await policyOf('/oauth/consent?x')).toBe('unsafe-none');
    for (const path of ['/', '/device', '/oauth/consents', '/api/auth/user', '/oauth/jwks', '/x/oauth/consent'])
      expect([path, await policyOf(path)]).toEqual([path, 'same-origin']);
  });

  it('password managers find where passwords are changed, and that other addresses do not exist', async () => {
    const known = await api.browser().get('/.well-known/change-password');
    expect([known.status, known.headers.get('location')]).toEqual([302, '/profile?tab=settings']);
    const probe = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
    expect((await api.browser().get(probe)).status).toBe(404);
  });

  it('Auth.js signs a member in by its issuer, id and secret alone', async () => {
    const site = 'https://pocket.example';
    const { clientId, clientSecret } = await registerApplication(developer, {
      redirectUris: [`${site}/auth/callback/nova`],
      requirePkce: true,
    });
    const config: AuthConfig = {
      providers: [{ id: 'nova', name: 'Nova', type: 'oidc', issuer: api.url, clientId, clientSecret }],
      secret: 'a secret of the application',
      basePath: '/auth',
      trustHost: true,
    };
    const jar = new TestBrowser(site);
    const call = async (path: string, form?: Record<string, string>) => {
      const answer = await Auth(
        new Request(new URL(path, site), {
          ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
          headers: { cookie: [...jar.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        }),
        config,
      );
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        jar.cookies.set(name, value);
      }
      return answer;
    };
    const { csrfToken } = (await (await call('/auth/csrf')).json()) as { csrfToken: string };
    const leaving = new URL((await call('/auth/signin/nova', { csrfToken })).headers.get('location') ?? '');
    expect(leaving.origin + leaving.pathname).toBe(`${api.url}/oauth/authorize`);
    const back = await giveConsent(member.browser, leaving.searchParams);
    const arrived = await call(back.pathname + back.search);
    expect(arrived.headers.get('location')).toBe(site);
    const session = await (await call('/auth/session')).json();
    expect(session).toMatchObject({ user: { name: 'Grace Hopper', email: member.email } });
  });
});
