import { createPublicKey, verify } from 'node:crypto';
import { startTestApi, type TestApi, type TestBrowser, type TestMember } from '../support/api.js';
import {
  authorizationRequest,
  authorize,
  bearer,
  claimsOf,
  decide,
  exchange,
  giveConsent,
  location,
  registerApplication,
  sendForm,
  type TestApplication,
  type Tokens,
} from '../support/oauth.js';

const terms = { tcConsent: true, tcVersion: '1.0' };
const parsed = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

/** The modules of the OpenID Connect Basic OP certification plan, by their names. */
describe('OpenID Connect Basic OP', () => {
  let api: TestApi;
  let member: TestMember;
  let application: TestApplication;
  beforeAll(async () => {
    api = await startTestApi({ atPublicUrl: true, environment: { RATE_LIMIT_FACTOR: '100' } });
    member = await api.member({ displayName: 'Ada Lovelace' });
    await member.browser.send('PATCH', '/api/profile', { body: { bio: 'Writes programs.' } });
    application = await registerApplication(await api.member());
  });
  afterAll(() => api?.close());

  const codeFor = async (parameters: Record<string, string | undefined> = {}, browser = member.browser) => {
    const back = await giveConsent(browser, authorizationRequest(application, parameters));
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ code: expect.any(String), iss: api.url });
    return back.searchParams.get('code') ?? '';
  };
  const signIn = async (parameters: Record<string, string | undefined> = {}, browser = member.browser) => {
    const answer = await exchange(api, application, { code: await codeFor(parameters, browser) });
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } });
    return answer.body as Tokens;
  };
  const userinfo = ({ access_token }: Tokens) => api.browser().get('/oauth/userinfo', bearer(access_token));
  const published = async () => (await api.browser().get('/.well-known/openid-configuration')).body;
  const signInAgain = (browser: TestBrowser) =>
    browser.post('/api/auth/signin', { email: member.email, password: member.password, ...terms });

  it('oidcc-server', async () => {
    const tokens = await signIn({ nonce: 'n-0S6_WzA2Mj', scope: 'openid' });
    const claims = claimsOf(tokens);
    expect(claims).toMatchObject({ iss: api.url, sub: member.id, aud: application.clientId, nonce: 'n-0S6_WzA2Mj' });
    expect(claims.exp - claims.iat).toBe(3600);
    expect(claims).not.toHaveProperty('name');
  });

  it('names no claim among the supported ones that no id token has', async () => {
    const told = claimsOf(await signIn({ scope: 'openid profile email', max_age: '10000' }));
    expect(told).toMatchObject({ email: member.email, email_verified: false });
    // This member has no picture.
    expect([...Object.keys(told), 'picture']).toEqual(expect.arrayContaining((await published()).claims_supported));
  });

  it('oidcc-response-type-missing', async () => {
    const answer = await authorize(member.browser, authorizationRequest(application, { response_type: undefined }));
    const back = location(answer);
    expect(back.href).toContain(application.redirectUri);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'invalid_request',
      state: 'a state of its own',
    });
  });

  it('oidcc-idtoken-signature', async () => {
    const { id_token } = await signIn();
    const [header, payload, signature] = id_token.split('.');
    const { alg, kid } = parsed(header);
    expect(alg).toBe('RS256');
    const { keys } = (await api.browser().get('/oauth/jwks')).body;
    const key = keys.find((each: { kid: string }) => each.kid === kid);
    expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    const signed = Buffer.from(`${header}.${payload}`);
    const publicKey = createPublicKey({ key, format: 'jwk' });
    expect(verify('sha256', signed, publicKey, Buffer.from(signature ?? '', 'base64url'))).toBe(true);
  });

  it('oidcc-idtoken-unsigned: does not apply, no token goes out unsigned', async () => {
    expect((await published()).id_token_signing_alg_values_supported).toEqual(['RS256']);
  });

  it('oidcc-userinfo-get', async () => {
    const answer = await userinfo(await signIn({ scope: 'openid' }));
    expect(answer).toMatchObject({ status: 200, body: { sub: member.id } });
    expect(Object.keys(answer.body)).toEqual(['sub']);
  });

  it('oidcc-userinfo-post-header', async () => {
    const { access_token } = await signIn();
    const answer = await api.browser().send('POST', '/oauth/userinfo', { headers: bearer(access_token) });
    expect(answer).toMatchObject({ status: 200, body: { sub: member.id } });
  });

  it('oidcc-userinfo-post-body', async () => {
    const { access_token } = await signIn();
    expect(await sendForm(api, '/oauth/userinfo', { access_token })).toMatchObject({
      status: 200,
      body: { sub: member.id },
    });
  });

  it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    expect(claimsOf(await signIn({ nonce: undefined }))).not.toHaveProperty('nonce');
  });

  it('oidcc-scope-profile', async () => {
    const tokens = await signIn({ scope: 'openid profile' });
    const profile = { sub: member.id, name: 'Ada Lovelace', bio: 'Writes programs.', rating: 5 };
    expect((await userinfo(tokens)).body).toEqual(profile);
    expect(claimsOf(tokens)).toMatchObject(profile);
  });

  it('oidcc-scope-email', async () => {
    const tokens = await signIn({ scope: 'openid email' });
    // No address is verified here, and some clients take an absent claim for a verified one.
    expect((await userinfo(tokens)).body).toEqual({ sub: member.id, email: member.email, email_verified: false });
  });

  it.each(['address', 'phone'])('oidcc-scope-%s: does not apply, it is not offered, and no error', async (scope) => {
    expect((await published()).scopes_supported).not.toContain(scope);
    expect((await userinfo(await signIn({ scope: `openid ${scope}` }))).body).toEqual({ sub: member.id });
  });

  it('oidcc-scope-all', async () => {
    const tokens = await signIn({ scope: 'openid profile email address phone nova karma influence' });
    expect((await userinfo(tokens)).body).toMatchObject({ name: 'Ada Lovelace', email: member.email });
  });

  it('oidcc-ensure-other-scope-order-succeeds', async () => {
    expect((await userinfo(await signIn({ scope: 'email openid' }))).body).toMatchObject({ email: member.email });
  });

  it.each([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-login-hint', { login_hint: 'ada@example.com' }],
    ['oidcc-ui-locales', { ui_locales: 'se' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
  ])('%s', async (_module, parameters) => {
    expect(claimsOf(await signIn(parameters))).toMatchObject({ sub: member.id });
  });

  it('oidcc-prompt-login', async () => {
    const { browser } = await api.member();
    await signInAgain(browser);
    const first = claimsOf(await signIn({ max_age: '10000' }, browser));
    const screen = location(await authorize(browser, authorizationRequest(application, { prompt: 'login' })));
    expect(screen.pathname).toBe('/oauth/consent');
    // The screen has them sign in first.
    expect(screen.searchParams.get('prompt')).toBe('login');
    await signInAgain(browser);
    const outcome = await decide(browser, screen);
    expect(outcome.status).toBe(200);
    const back = location(await browser.get(outcome.body.redirect_url));
    const tokens = await exchange(api, application, { code: back.searchParams.get('code') ?? '' });
    expect(claimsOf(tokens.body)).toMatchObject({ sub: member.id });
    expect(claimsOf(tokens.body).auth_time).toBeGreaterThanOrEqual(first.auth_time);
  });

  it('oidcc-prompt-none-not-logged-in', async () => {
    const answer = await authorize(api.browser(), authorizationRequest(application, { prompt: 'none' }));
    expect(location(answer).searchParams.get('error')).toBe('login_required');
  });

  it('oidcc-prompt-none-logged-in', async () => {
    const first = claimsOf(await signIn({ max_age: '10000' }));
    const answer = await authorize(
      member.browser,
      authorizationRequest(application, { prompt: 'none', max_age: '10000' }),
    );
    const code = location(answer).searchParams.get('code') ?? '';
    const second = claimsOf((await exchange(api, application, { code })).body);
    expect(second).toMatchObject({ sub: first.sub, auth_time: first.auth_time });
  });

  it('oidcc-max-age-1', async () => {
    const late = await api.member();
    const { browser } = late;
    await api.database.pool.query(
      `update sessions set created_at = created_at - interval '1 minute' where account_id = $1`,
      [late.id],
    );
    const screen = location(await authorize(browser, authorizationRequest(application, { max_age: '1' })));
    expect(screen.searchParams.get('prompt')).toBe('login');
    expect(await decide(browser, screen)).toMatchObject({ status: 401, body: { code: 'SIGN_IN_AGAIN' } });
    await browser.post('/api/auth/signin', { email: late.email, password: late.password, ...terms });
    const outcome = await decide(browser, screen);
    const back = location(await browser.get(outcome.body.redirect_url));
    const { body } = await exchange(api, application, { code: back.searchParams.get('code') ?? '' });
    const { auth_time, iat } = claimsOf(body);
    expect(iat - auth_time).toBeLessThan(60);
  });

  it('oidcc-max-age-10000', async () => {
    const first = claimsOf(await signIn({ max_age: '10000' }));
    const second = claimsOf(await signIn({ max_age: '10000' }));
    expect(first.auth_time).toEqual(expect.any(Number));
    expect(second.auth_time).toBe(first.auth_time);
  });

  it('oidcc-id-token-hint', async () => {
    const { id_token } = await signIn();
    const hinted = { prompt: 'none', id_token_hint: id_token };
    const same = await authorize(member.browser, authorizationRequest(application, hinted));
    expect(location(same).searchParams.get('code')).toEqual(expect.any(String));
    const { browser } = await api.member();
    const other = await authorize(browser, authorizationRequest(application, hinted));
    expect(location(other).searchParams.get('error')).toBe('login_required');
    const screen = location(await authorize(browser, authorizationRequest(application, { id_token_hint: id_token })));
    expect(await decide(browser, screen)).toMatchObject({ status: 403, body: { code: 'OTHER_ACCOUNT' } });
  });

  it.each([
    ['oidcc-codereuse', 0],
    ['oidcc-codereuse-30seconds', 30],
  ])('%s', async (_module, seconds) => {
    const code = await codeFor();
    const { body } = await exchange(api, application, { code });
    await api.database.pool.query(
      `update oauth_payloads set consumed_at = consumed_at - $1 * interval '1 second' where consumed_at is not null`,
      [seconds],
    );
    expect(await exchange(api, application, { code })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    // RFC 6749 §4.1.2: the tokens for which the code was exchanged end with it.
    expect(await userinfo(body)).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    const refreshed = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    expect(await exchange(api, application, refreshed)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('oidcc-ensure-registered-redirect-uri', async () => {
    const redirect_uri = `${application.redirectUri}/other`;
    const answer = await authorize(member.browser, authorizationRequest(application, { redirect_uri }));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.body).toContain('This sign-in cannot continue');
  });

  it('oidcc-ensure-post-request-succeeds', async () => {
    // As a browser sends it from another site: with that site's Origin, and without our cookies.
    const fields = Object.fromEntries(authorizationRequest(application, { prompt: 'consent' }));
    const posted = await sendForm(api, '/oauth/authorize', fields, { origin: 'https://app.example.com' });
    expect(posted.status).toBe(303);
    const { pathname, search } = location(posted);
    const screen = location(await member.browser.get(pathname + search));
    const { body } = await decide(member.browser, screen);
    const back = location(await member.browser.get(body.redirect_url));
    expect((await exchange(api, application, { code: back.searchParams.get('code') ?? '' })).status).toBe(200);
  });

  it('oidcc-server-client-secret-post', async () => {
    expect((await published()).token_endpoint_auth_methods_supported).toEqual(
      expect.arrayContaining(['client_secret_basic', 'client_secret_post']),
    );
    // Every other test here posts the secret; this one proves itself in the header.
    const { clientId, clientSecret, redirectUri } = application;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const fields = { grant_type: 'authorization_code', redirect_uri: redirectUri, code: await codeFor() };
    const answer = await sendForm(api, '/oauth/token', fields, { authorization: `Basic ${basic}` });
    expect(answer).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
  });

  it.each([
    ['oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', {}],
    ['oidcc-ensure-request-object-with-redirect-uri', { redirect_uri: 'https://app.example.com/callback' }],
  ])('%s: rejected as unsupported', async (_module, more) => {
    expect((await published()).request_parameter_supported ?? false).toBe(false);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const request = `${part({ alg: 'none' })}.${part({ client_id: application.clientId, ...more })}.`;
    const answer = await authorize(member.browser, authorizationRequest(application, { request }));
    expect(location(answer).searchParams.get('error')).toBe('request_not_supported');
  });

  it('oidcc-claims-essential: does not apply, the parameter is not offered, and no error', async () => {
    expect((await published()).claims_parameter_supported).toBe(false);
    const claims = JSON.stringify({ userinfo: { email: { essential: true } } });
    expect((await userinfo(await signIn({ scope: 'openid', claims }))).body).toEqual({ sub: member.id });
  });

  it('oidcc-refresh-token', async () => {
    const first = await signIn({ scope: 'openid email' });
    const renew = (refresh_token: string, by = application) =>
      exchange(api, by, { grant_type: 'refresh_token', refresh_token });
    const answer = await renew(first.refresh_token);
    expect(answer.status).toBe(200);
    const second = answer.body as Tokens;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(claimsOf(second)).toMatchObject({ sub: member.id, iss: api.url, aud: application.clientId });
    expect(claimsOf(second)).not.toHaveProperty('nonce');
    expect((await userinfo(second)).body).toEqual({ sub: member.id, email: member.email, email_verified: false });
    const other = await registerApplication(member);
    expect(await renew(second.refresh_token, other)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await renew(second.refresh_token)).status).toBe(200);
  });
});
