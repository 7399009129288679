import * as openid from 'openid-client';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import {
  bearer,
  claimsOf,
  credentials,
  registerApplication,
  sendForm,
  type TestApplication,
  tokensFor,
} from '../support/oauth.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Devices without a browser (RFC 8628, rule oauth-22). */
describe('signing in on a device', () => {
  let api: TestApi;
  let developer: TestMember;
  let member: TestMember;
  let application: TestApplication;
  beforeAll(async () => {
    api = await startTestApi({ atPublicUrl: true, environment: { RATE_LIMIT_FACTOR: '1' } });
    developer = await api.member();
    member = await api.member({ displayName: 'Grace Hopper' });
    application = await registerApplication(developer, { isPublic: true, deviceFlow: true });
  });
  afterAll(() => api?.close());

  const begin = (by: TestApplication, fields: Record<string, string> = {}) =>
    sendForm(api, '/oauth/device_authorization', { ...credentials(by), ...fields });
  const poll = (by: TestApplication, device_code: string) =>
    sendForm(api, '/oauth/token', { grant_type: GRANT, device_code, ...credentials(by) });
  const find = (user_code: string, by = member) => by.browser.post('/api/oauth/device', { user_code });
  const decide = (user_code: string, decision: Record<string, unknown> = {}, by = member): Promise<TestAnswer> =>
    by.browser.post('/api/oauth/device/decision', {
      user_code,
      client_id: application.clientId,
      scopes: ['openid', 'profile'],
      approved: true,
      ...decision,
    });
  /** As if the device had waited between two looks. */
  const waited = () =>
    api.database.pool.query(
      `update oauth_payloads set payload = payload || '{"polledAt": 0}' where model = 'DeviceCode'`,
    );
  /** As if ten minutes had passed since it was made. */
  const expired = () =>
    api.database.pool.query(
      `update oauth_payloads set payload = payload || '{"exp": 1}', expires_at = expires_at - interval '10 minutes'
       where model = 'DeviceCode'`,
    );

  it('a member enters the code, and the device gets what they chose', async () => {
    const begun = await begin(application, { scope: 'openid profile email' });
    expect(begun.status).toBe(200);
    expect(begun.body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{40,}$/),
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${api.url}/device`,
      verification_uri_complete: `${api.url}/device?user_code=${begun.body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const { device_code, user_code } = begun.body;
    expect(await poll(application, device_code)).toMatchObject({
      status: 400,
      body: { error: 'authorization_pending' },
    });
    // However it is typed.
    const found = await find(` ${user_code.toLowerCase().replace('-', ' ')}`);
    expect(found).toMatchObject({
      status: 200,
      body: { user_code, client_id: application.clientId, scopes: ['openid', 'profile', 'email'] },
    });
    expect((await decide(user_code)).status).toBe(200);
    const { status, body: tokens } = await poll(application, device_code);
    expect(status).toBe(200);
    // What was refused is not in it.
    expect(tokens.scope).toBe('openid profile');
    expect(claimsOf(tokens)).toMatchObject({ sub: member.id, aud: application.clientId, name: 'Grace Hopper' });
    const info = await api.browser().get('/oauth/userinfo', bearer(tokens.access_token));
    expect(info.body).toMatchObject({ sub: member.id, name: 'Grace Hopper' });
    expect(info.body).not.toHaveProperty('email');
    const { refresh_token } = tokens;
    const renewed = await sendForm(api, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token,
      ...credentials(application),
    });
    expect(renewed.status).toBe(200);
    // Access can be revoked like any other.
    await member.browser.post('/api/oauth/revoke', { client_id: application.clientId });
    expect((await api.browser().get('/oauth/userinfo', bearer(renewed.body.access_token))).status).toBe(401);
  });

  it('openid-client signs a device of a confidential application in', async () => {
    const confidential = await registerApplication(developer, { deviceFlow: true });
    const { clientId, clientSecret } = confidential;
    const execute = [openid.allowInsecureRequests];
    const authentication = openid.ClientSecretBasic(clientSecret);
    const config = await openid.discovery(new URL(api.url), clientId, undefined, authentication, { execute });
    const begun = await openid.initiateDeviceAuthorization(config, { scope: 'openid profile' });
    const polling = openid.pollDeviceAuthorizationGrant(config, begun);
    expect((await decide(begun.user_code, { client_id: clientId })).status).toBe(200);
    const tokens = await polling;
    expect(tokens.claims()).toMatchObject({ sub: member.id });
    expect(tokens.scope).toBe('openid profile');
  }, 20_000);

  it('without a scope: openid and profile', async () => {
    const { body } = await begin(application);
    expect((await find(body.user_code)).body.scopes).toEqual(['openid', 'profile']);
  });

  it('a code works once: a replay ends what came of it', async () => {
    const { device_code, user_code } = (await begin(application)).body;
    await decide(user_code);
    const { body: tokens } = await poll(application, device_code);
    expect(await poll(application, device_code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await api.browser().get('/oauth/userinfo', bearer(tokens.access_token))).status).toBe(401);
    expect((await find(user_code)).status).toBe(404);
    expect((await decide(user_code)).status).toBe(404);
  });

  it('eight looks at once: one device gets tokens at most, and nothing lives', async () => {
    const { device_code, user_code } = (await begin(application)).body;
    await decide(user_code);
    const answers = await Promise.all(Array.from({ length: 8 }, () => poll(application, device_code)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const { body } of won) {
      expect((await api.browser().get('/oauth/userinfo', bearer(body.access_token))).status).toBe(401);
    }
  });

  it('eight decisions at once: one counts', async () => {
    const other = await api.member();
    const { device_code, user_code } = (await begin(application)).body;
    const deciders = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? member : other));
    const answers = await Promise.all(deciders.map((by) => decide(user_code, {}, by)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
    const decider = deciders[answers.findIndex(({ status }) => status === 200)];
    expect(claimsOf((await poll(application, device_code)).body).sub).toBe(decider?.id);
  });

  it('a device that looks too soon is told to slow down, and has to wait longer from then on', async () => {
    const { device_code, user_code } = (await begin(application)).body;
    expect((await poll(application, device_code)).body.error).toBe('authorization_pending');
    expect(await poll(application, device_code)).toMatchObject({ status: 400, body: { error: 'slow_down' } });
    const pause = async () =>
      (
        await api.database.pool.query(
          `select payload ->> 'pause' as pause from oauth_payloads where model = 'DeviceCode' and uid = $1`,
          [user_code.replace('-', '')],
        )
      ).rows[0].pause;
    expect(await pause()).toBe('10');
    await waited();
    expect((await poll(application, device_code)).body.error).toBe('authorization_pending');
    expect(await pause()).toBe('10');
    // Once the member has decided there is nothing to wait for.
    await decide(user_code);
    expect((await poll(application, device_code)).status).toBe(200);
  });

  it('a member who says no', async () => {
    const { device_code, user_code } = (await begin(application)).body;
    expect((await decide(user_code, { approved: false })).status).toBe(200);
    expect(await poll(application, device_code)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    // They cannot change their mind, and nobody else can.
    expect((await decide(user_code)).status).toBe(404);
  });

  it('a code that has expired, for the device and for the member', async () => {
    const { device_code, user_code } = (await begin(application)).body;
    await expired();
    expect((await find(user_code)).status).toBe(404);
    expect((await decide(user_code)).status).toBe(404);
    expect(await poll(application, device_code)).toMatchObject({ status: 400, body: { error: 'expired_token' } });
  });

  it('a code that was approved and expired before the device looked', async () => {
    const { device_code, user_code } = (await begin(application)).body;
    await decide(user_code);
    await expired();
    expect((await poll(application, device_code)).body.error).toBe('expired_token');
  });

  it('a code that was approved, and its consent revoked', async () => {
    const { device_code, user_code } = (await begin(application)).body;
    await decide(user_code);
    await member.browser.post('/api/oauth/revoke', { client_id: application.clientId });
    expect((await poll(application, device_code)).body.error).toBe('invalid_grant');
  });

  it("under another application's name: nobody approves what they were not shown", async () => {
    const evil = await registerApplication(developer, { name: 'Evil', isPublic: true, deviceFlow: true });
    const { device_code, user_code } = (await begin(evil)).body;
    expect(await decide(user_code)).toMatchObject({ status: 404, body: { code: 'DEVICE_CODE_NOT_FOUND' } });
    expect((await poll(evil, device_code)).body.error).toBe('authorization_pending');
    // Nor does another application get what one was granted.
    expect((await decide(user_code, { client_id: evil.clientId })).status).toBe(200);
    expect((await poll(application, device_code)).body.error).toBe('invalid_grant');
  });

  it('never Nova: neither asked for, nor granted unasked, nor had from another consent', async () => {
    expect(await begin(application, { scope: 'openid nova' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
    await tokensFor(api, member, application, { scopes: ['openid', 'nova'] });
    const { device_code, user_code } = (await begin(application, { scope: 'openid email' })).body;
    // As if it had been asked for before this rule.
    await api.database.pool.query(
      `update oauth_payloads set payload = jsonb_set(payload, '{params,scope}', '"openid nova email"') where uid = $1`,
      [user_code.replace('-', '')],
    );
    expect((await decide(user_code, { scopes: ['openid', 'nova', 'karma', 'email'] })).status).toBe(200);
    const { body } = await poll(application, device_code);
    expect(body.scope).toBe('openid email');
    const spent = await api
      .browser()
      .post('/api/tokens/spend', { amount: 1, description: 'x' }, bearer(body.access_token));
    expect(spent).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
    // The earlier consent stays what it was.
    const { applications } = (await member.browser.get('/api/oauth/applications')).body;
    expect(applications.find((each: { id: string }) => each.id === application.clientId).grantedScopes).toContain(
      'nova',
    );
  });

  it('only where the developer allows it', async () => {
    const plain = await registerApplication(developer, { isPublic: true });
    expect(await begin(plain)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const { user_code } = (await begin(application)).body;
    const path = `/api/oauth/application/${application.clientId}`;
    await developer.browser.send('PATCH', path, { body: { deviceFlow: false } });
    expect((await find(user_code)).status).toBe(404);
    const on = await developer.browser.send('PATCH', path, { body: { deviceFlow: true } });
    expect(on.body).toMatchObject({ deviceFlow: true, requirePkce: true });
    expect((await find(user_code)).status).toBe(200);
  });

  it.each([
    ['no client', {}, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['a scope that is not registered', { scope: 'email' }, 400, 'invalid_scope'],
    ['a parameter that only the consent screen sends', { denied: 'yes' }, 400, 'access_denied'],
  ])('not for %s', async (_what, fields, status, error) => {
    const narrow = await registerApplication(await api.member(), {
      isPublic: true,
      deviceFlow: true,
      scopes: ['openid'],
    });
    const own = 'scope' in fields || 'denied' in fields ? credentials(narrow) : {};
    expect(await sendForm(api, '/oauth/device_authorization', { ...own, ...fields })).toMatchObject({
      status,
      body: { error },
    });
  });

  it('nobody decides who is not signed in, or from another site', async () => {
    const { user_code } = (await begin(application)).body;
    expect((await api.browser().post('/api/oauth/device', { user_code })).status).toBe(401);
    const foreign = { origin: 'https://evil.example' };
    const decision = { user_code, client_id: application.clientId, scopes: [], approved: true };
    expect(await member.browser.post('/api/oauth/device/decision', decision, foreign)).toMatchObject({
      status: 403,
      body: { code: 'FOREIGN_ORIGIN' },
    });
  });

  it('guesses are few for a member, whatever they guess with, and right codes are none', async () => {
    const guesser = await api.member();
    const { user_code } = (await begin(application)).body;
    for (let right = 0; right < 15; right += 1) expect((await find(user_code, guesser)).status).toBe(200);
    const guess = (index: number) =>
      index % 2 === 0
        ? find(`BCDF-GHJ${'BCDFGHJKLM'[index]}`, guesser)
        : decide(['', '\u0000', "' or 1=1", 'x'.repeat(64), 'BCDFGHJK'][index % 5] ?? '', {}, guesser);
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(index % 10)));
    const statuses = guesses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    const locked = await find(user_code, guesser);
    expect(locked).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
    // Other members are not held up.
    expect((await find(user_code)).status).toBe(200);
  });

  it('codes of one application push out only its own oldest', async () => {
    const crowded = await registerApplication(developer, { isPublic: true, deviceFlow: true });
    const { user_code: kept } = (await begin(application)).body;
    const first = (await begin(crowded)).body.user_code;
    await api.database.pool.query(
      `insert into oauth_payloads (model, id, payload, client_id, uid, expires_at)
       select 'DeviceCode', 'crowd ' || n, '{}', $1, 'crowd ' || n, now() + interval '1 day' from generate_series(1, 1000) n`,
      [crowded.clientId],
    );
    await begin(crowded);
    expect((await find(first)).status).toBe(404);
    expect((await find(kept)).status).toBe(200);
  });

  it('a network begins 60 sign-ins in ten minutes', async () => {
    const answers: TestAnswer[] = [];
    for (let begun = 0; begun < 61; begun += 1) answers.push(await begin(application));
    const last = answers.at(-1);
    expect(last).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
