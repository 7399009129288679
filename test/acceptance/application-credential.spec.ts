import { OAuthHousekeeping } from '../../apps/api/src/oauth/oauth-housekeeping.js';
import { secretHash } from '../../apps/api/src/oauth/new-secret.js';
import { NovaApplication } from '../../libs/sdk/src/index.js';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { authorize, registerApplication, settled, type TestApplication } from '../support/applications.js';
import { migrateUntilBefore } from '../support/earlier-schema.js';
import { eventually } from '../support/eventually.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';
import { bearer, sendForm, tokensFor } from '../support/oauth.js';
import { createTestDatabase } from '../support/postgres.js';

const OWN_SCOPES = 'wallet:read wallet:pay webhooks members:read calls:read';
const WALLET = '/api/tokens/wallet';

const basic = (clientId: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
});

let api: TestApi;
let admin: TestMember;
let dev: TestMember;
let ada: TestMember;
let app: TestApplication;
let other: TestApplication;

beforeAll(async () => {
  ({ api, admin } = await signInAdmin(startTestApi, { environment: { RATE_LIMIT_FACTOR: '100' } }));
  dev = await api.member({ displayName: 'Dev' });
  ada = await api.member({ displayName: 'Ada' });
  app = await registerApplication(dev);
  other = await registerApplication(await api.member());
  await grantNova(admin, dev.id, 2_000);
  await dev.browser.post(`/api/oauth/application/${app.clientId}/wallet/fund`, { amount: 1_000 });
  await authorize(api, ada, app);
  await settled(api);
});
afterAll(() => api?.close());

const ownToken = (
  { clientId, clientSecret }: Pick<TestApplication, 'clientId' | 'clientSecret'> = app,
  fields: Record<string, string> = {},
): Promise<TestAnswer> =>
  sendForm(api, '/oauth/token', {
    grant_type: 'client_credentials',
    client_id: clientId,
    ...(clientSecret === '' ? {} : { client_secret: clientSecret }),
    ...fields,
  });
const own = async (scope?: string, application = app): Promise<Record<string, string>> =>
  bearer((await ownToken(application, scope === undefined ? {} : { scope })).body.access_token);
const get = (path: string, headers: Record<string, string>): Promise<TestAnswer> => api.browser().get(path, headers);
const of = ({ clientId }: TestApplication, path: string): string => `/api/oauth/application/${clientId}/${path}`;
const isActive = async (token: string, application = app): Promise<boolean> => {
  const { clientId: client_id, clientSecret: client_secret } = application;
  return (await sendForm(api, '/oauth/introspect', { token, client_id, client_secret })).body.active;
};

describe("an application's own token", () => {
  it('is given for the secret, for an hour, with the scopes that were asked for or all', async () => {
    expect(await ownToken()).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 3_600, scope: OWN_SCOPES, access_token: expect.any(String) },
    });
    const { body } = await ownToken(app, { scope: 'wallet:read' });
    expect(body).toMatchObject({ scope: 'wallet:read' });
    expect(body.refresh_token).toBeUndefined();
    const inHeader = await sendForm(
      api,
      '/oauth/token',
      { grant_type: 'client_credentials' },
      basic(app.clientId, app.clientSecret),
    );
    expect(inHeader.status).toBe(200);
    const { body: metadata } = await api.browser().get('/.well-known/openid-configuration');
    expect(metadata.grant_types_supported).toContain('client_credentials');
    expect(metadata.scopes_supported).toEqual(expect.arrayContaining(OWN_SCOPES.split(' ')));
  });

  it('reads the wallet and its statement, pays, and lists members, as far as its scopes go', async () => {
    expect(await get(WALLET, await own('wallet:read'))).toMatchObject({ status: 200, body: { balance: 1_000 } });
    expect((await get(`${WALLET}/statement?limit=1`, await own())).body.entries).toHaveLength(1);
    expect((await get(of(app, 'wallet'), await own('wallet:read'))).body.balance).toBe(1_000);
    const before = await novaBalance(ada);
    const items = [{ userId: ada.id, amount: 7 }];
    const pay = async (scope: string, headers: Record<string, string> = {}) =>
      api.browser().send('POST', '/api/tokens/earn/bulk', {
        body: { items },
        headers: { ...(await own(scope)), ...headers },
      });
    const refused = await pay('wallet:read members:read');
    expect(refused).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
    expect(refused.headers.get('www-authenticate')).toContain('scope="wallet:pay"');
    expect((await pay('wallet:pay', { 'idempotency-key': 'once' })).status).toBe(201);
    expect((await pay('wallet:pay', { 'idempotency-key': 'once' })).status).toBe(201);
    await settled(api);
    expect(await novaBalance(ada)).toBe(before + 7);
    expect((await get(WALLET, basic(app.clientId, app.clientSecret))).body.balance).toBe(993);
  });

  it('makes, changes, tests and deletes webhooks, without a session', async () => {
    const headers = await own('webhooks');
    const send = (method: string, path: string, body?: unknown) =>
      api.browser().send(method, of(app, path), { headers, ...(body === undefined ? {} : { body }) });
    const made = await send('POST', 'webhooks', { url: 'http://127.0.0.1:9/hook', events: ['tokens.spent'] });
    expect(made).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) } });
    const hook = `webhooks/${made.body.id}`;
    expect(await send('PATCH', hook, { url: 'http://127.0.0.1:9/other' })).toMatchObject({ status: 200 });
    const tested = await send('POST', `${hook}/test`);
    expect(tested.status).toBe(201);
    const sent = await send('GET', `${hook}/deliveries`);
    expect(sent.body.deliveries.map(({ id }: { id: string }) => id)).toEqual([tested.body.id]);
    expect((await send('POST', `${hook}/deliveries/${tested.body.id}/redeliver`)).status).toBe(201);
    expect((await send('POST', `${hook}/rotate-secret`)).status).toBe(201);
    expect((await send('GET', 'webhooks')).body.webhooks).toHaveLength(1);
    expect((await send('DELETE', hook)).status).toBe(204);
    expect((await send('GET', 'webhooks')).body.webhooks).toEqual([]);
    const reader = await own('wallet:read');
    expect(await get(of(app, 'webhooks'), reader)).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
  });

  it('leaves its developer’s session alone where the Basic of a proxy stands beside it', async () => {
    const proxys = basic('intranet', 'open sesame');
    for (const path of ['wallet', 'wallet/statement', 'webhooks', 'members', 'calls']) {
      expect([path, (await dev.browser.get(of(app, path), proxys)).status]).toEqual([path, 200]);
      expect([path, (await dev.browser.get(of(other, path), proxys)).status]).toEqual([path, 404]);
      // Whoever says that an application calls is that application or nobody.
      const wrong = await dev.browser.get(of(app, path), basic(app.clientId, 'nova_secret_wrong'));
      expect([path, wrong.status, wrong.body.code]).toEqual([path, 401, 'INVALID_CLIENT']);
      const stale = await dev.browser.get(of(app, path), bearer('x'.repeat(43)));
      expect([path, stale.status, stale.body.code]).toEqual([path, 401, 'INVALID_TOKEN']);
      expect([path, (await get(of(app, path), proxys)).status]).toEqual([path, 401]);
    }
    const foreign = { ...proxys, origin: 'https://evil.example' };
    const url = 'https://app.example.com/hook';
    const body = { url, events: ['tokens.spent'] };
    const sent = await dev.browser.send('POST', of(app, 'webhooks'), { body, headers: foreign });
    expect([sent.status, sent.body.code]).toEqual([403, 'FOREIGN_ORIGIN']);
  });

  it('reaches no other application, and nothing that only its developer may', async () => {
    const headers = await own();
    for (const path of ['wallet', 'wallet/statement', 'webhooks', 'members', 'calls']) {
      expect([path, await get(of(other, path), headers)]).toMatchObject([
        path,
        { status: 404, body: { code: 'APPLICATION_NOT_FOUND' } },
      ]);
    }
    const withBasic = await get(of(other, 'calls'), basic(app.clientId, app.clientSecret));
    expect(withBasic.status).toBe(404);
    for (const [method, path, body] of [
      ['GET', of(app, 'secrets'), undefined],
      ['POST', of(app, 'secrets'), { name: 'Mine' }],
      ['POST', of(app, 'wallet/withdraw'), { amount: 1 }],
      ['DELETE', `/api/oauth/application/${app.clientId}`, undefined],
      ['POST', '/api/oauth/regenerate-secret', { clientId: app.clientId }],
      ['GET', '/api/oauth/my-applications', undefined],
      ['GET', '/api/wallet/applications', undefined],
    ] as const) {
      for (const proof of [headers, basic(app.clientId, app.clientSecret)]) {
        const answer = await api.browser().send(method, path, { headers: proof, ...(body ? { body } : {}) });
        expect([path, answer]).toMatchObject([path, { status: 401 }]);
      }
    }
  });

  it("is no member's token, and a member's token is none of its", async () => {
    const headers = await own();
    for (const path of ['/api/oauth/token-balances', '/api/tokens/transactions', '/oauth/userinfo']) {
      expect([path, (await get(path, headers)).status]).toEqual([path, 401]);
    }
    const spend = await api.browser().send('POST', '/api/tokens/spend', { headers, body: { amount: 1 } });
    expect(spend).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } });
    const { access_token: members } = await tokensFor(api, ada, app, { scopes: ['openid', 'nova'] });
    for (const path of [WALLET, `${WALLET}/statement`, of(app, 'members'), of(app, 'webhooks'), of(app, 'calls')]) {
      expect([path, await get(path, bearer(members))]).toMatchObject([path, { status: 401 }]);
    }
    const items = [{ userId: ada.id, amount: 1 }];
    const pay = await api
      .browser()
      .send('POST', '/api/tokens/earn/bulk', { headers: bearer(members), body: { items } });
    expect(pay).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } });
  });

  it('is for no scope of a member, and no member grants its scopes', async () => {
    for (const scope of ['nova', 'openid', 'wallet:read nova', 'wallet:everything']) {
      expect(await ownToken(app, { scope })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    }
    const { access_token } = await tokensFor(api, ada, app, { scopes: ['openid', 'nova', 'wallet:pay'] });
    const introspected = await sendForm(api, '/oauth/introspect', {
      token: access_token,
      client_id: app.clientId,
      client_secret: app.clientSecret,
    });
    expect(introspected.body.scope).toBe('openid nova');
  });

  it('is not given to public applications, for wrong secrets, or for those that are switched off', async () => {
    const open = await registerApplication(dev);
    const publicOne = (
      await dev.browser.post('/api/oauth/register-app', {
        name: 'Pocket',
        redirectUris: ['https://app.example.com/callback'],
        isPublic: true,
      })
    ).body;
    const refused = await ownToken({ clientId: publicOne.clientId, clientSecret: '' });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request']);
    const guess = await ownToken({ ...open, clientSecret: 'nova_secret_guess' });
    expect([guess.status, guess.body.error]).toEqual([401, 'invalid_client']);
    const headers = await own(undefined, open);
    const token = headers['authorization']?.split(' ')[1] ?? '';
    expect((await get(WALLET, headers)).status).toBe(200);
    await dev.browser.send('PATCH', `/api/oauth/application/${open.clientId}`, { body: { isActive: false } });
    expect((await get(WALLET, headers)).status).toBe(401);
    expect((await ownToken(open)).status).toBe(401);
    await dev.browser.send('PATCH', `/api/oauth/application/${open.clientId}`, { body: { isActive: true } });
    expect((await get(WALLET, headers)).status).toBe(200);
    expect(await isActive(token, other)).toBe(false);
    expect((await dev.browser.delete(`/api/oauth/application/${open.clientId}`)).status).toBe(200);
    for (const proof of [headers, basic(open.clientId, open.clientSecret)]) {
      expect((await get(WALLET, proof)).status).toBe(401);
    }
  });

  it('ends when it is revoked, and the oldest of too many end', async () => {
    const { access_token: token } = (await ownToken()).body;
    const theirs = { client_id: other.clientId, client_secret: other.clientSecret };
    expect((await sendForm(api, '/oauth/revoke', { token, ...theirs })).status).toBe(400);
    expect(await isActive(token)).toBe(true);
    const ours = { client_id: app.clientId, client_secret: app.clientSecret };
    expect((await sendForm(api, '/oauth/revoke', { token, ...ours })).status).toBe(200);
    expect(await isActive(token)).toBe(false);
    expect((await get(WALLET, bearer(token))).status).toBe(401);
    await api.database.pool.query(
      `insert into oauth_payloads (model, id, payload, client_id, expires_at)
       select 'ClientCredentials', 'filler-' || n, '{}', $1, now() + interval '30 minutes' from generate_series(1, 1200) n`,
      [other.clientId],
    );
    await ownToken(other);
    const { rows } = await api.database.pool.query(
      `select count(*)::int as count from oauth_payloads where model = 'ClientCredentials' and client_id = $1`,
      [other.clientId],
    );
    expect(rows[0].count).toBeLessThanOrEqual(1_000);
  });
});

describe('the SDK in the name of an application', () => {
  it('needs the id and the secret alone', async () => {
    const shop = await registerApplication(dev, 'Shop');
    await authorize(api, ada, shop);
    const { clientId, clientSecret } = shop;
    const nova = new NovaApplication({ origin: api.url, clientId, clientSecret });
    expect(await nova.wallet()).toMatchObject({ balance: 0 });
    const { id, secret } = await nova.webhooks.create({
      url: 'http://127.0.0.1:9/hook',
      events: ['tokens.spent'],
    });
    expect(secret).toMatch(/^whsec_/);
    expect(await nova.webhooks.change(id, { isOn: true })).toMatchObject({ id, isOn: true });
    const { id: sent } = await nova.webhooks.test(id);
    expect(await nova.webhooks.redeliver(id, sent)).toEqual({ id: sent });
    const deliveries = [];
    for await (const delivery of nova.webhooks.deliveries(id)) deliveries.push(delivery.id);
    expect(deliveries).toEqual([sent]);
    await nova.webhooks.delete(id);
    expect(await nova.webhooks.list()).toEqual([]);
    const members = [];
    for await (const { userId } of nova.consentingMembers({ pageSize: 1 })) members.push(userId);
    expect(members).toEqual([ada.id]);
    const routes = await eventually(
      async () => {
        const all = [];
        for await (const { route } of nova.calls()) all.push(route);
        return all;
      },
      (all) => all.includes('/api/oauth/application/:clientId/members'),
    );
    expect(routes.filter((route) => route === '/oauth/token')).toHaveLength(2);
    await expect(nova.earnInBulk([{ userId: dev.id, amount: 1 }])).rejects.toMatchObject({ code: 'CONSENT_MISSING' });
  });
});

describe("a test client's own token", () => {
  it('is for the test wallet and test webhooks alone, and ends with the test secret', async () => {
    const tried = await registerApplication(dev, 'Tried');
    const testing = async () => (await dev.browser.post(of(tried, 'test-mode/secret'))).body.clientSecret as string;
    const clientId = `test_${tried.clientId}`;
    expect((await ownToken({ clientId, clientSecret: tried.clientSecret })).status).toBe(401);
    expect((await ownToken({ clientId, clientSecret: 'see secrets' })).status).toBe(401);
    const clientSecret = await testing();
    expect((await ownToken({ clientId: tried.clientId, clientSecret })).status).toBe(401);
    const { body } = await ownToken({ clientId, clientSecret });
    expect(body.scope).toBe('wallet:read wallet:pay webhooks');
    for (const scope of ['members:read', 'calls:read']) {
      const refused = await ownToken({ clientId, clientSecret }, { scope });
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    }
    const headers = bearer(body.access_token);
    expect((await get(WALLET, headers)).body.livemode).toBe(false);
    expect((await get(WALLET, await own(undefined, tried))).body.livemode).toBe(true);
    expect((await get(of(tried, 'wallet'), headers)).status).toBe(404);
    expect((await get(of(tried, 'webhooks'), headers)).status).toBe(404);
    for (const path of ['members', 'calls']) {
      expect([path, (await get(of(tried, path), headers)).status]).toEqual([path, 403]);
    }
    await testing();
    expect((await get(WALLET, headers)).status).toBe(401);
  });
});

describe('two secrets', () => {
  const secretsOf = async (application: TestApplication, member = dev) =>
    (await member.browser.get(of(application, 'secrets'))).body.secrets;
  const make = (application: TestApplication, name: unknown, member = dev): Promise<TestAnswer> =>
    member.browser.post(of(application, 'secrets'), { name });

  it('both work everywhere until one is revoked, with its tokens', async () => {
    const rotating = await registerApplication(dev, 'Rotating');
    const made = await make(rotating, ' Server in Vienna ');
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Server in Vienna', clientSecret: expect.stringMatching(/^nova_secret_/), lastUsedAt: null },
    });
    expect(made.headers.get('cache-control')).toBe('no-store');
    const second = { ...rotating, clientSecret: made.body.clientSecret as string };
    await dev.browser.send('PATCH', `/api/oauth/application/${rotating.clientId}`, { body: { deviceFlow: true } });
    for (const each of [rotating, second]) {
      const proof = { client_id: each.clientId, client_secret: each.clientSecret };
      expect((await get(WALLET, basic(each.clientId, each.clientSecret))).status).toBe(200);
      const { refresh_token, access_token } = await tokensFor(api, ada, each, { scopes: ['openid', 'nova'] });
      const renewal = { grant_type: 'refresh_token', refresh_token, ...proof };
      expect((await sendForm(api, '/oauth/token', renewal)).status).toBe(200);
      expect(await isActive(access_token, each)).toBe(true);
      expect((await sendForm(api, '/oauth/device_authorization', proof)).status).toBe(200);
      expect((await sendForm(api, '/oauth/revoke', { token: access_token, ...proof })).status).toBe(200);
    }
    const [first, vienna] = await secretsOf(rotating);
    expect([first.name, vienna.name]).toEqual(['Secret', 'Server in Vienna']);
    expect(vienna.id).toBe(made.body.id);
    expect(Date.now() - Date.parse(vienna.lastUsedAt)).toBeLessThan(120_000);

    const ofFirst = await own(undefined, rotating);
    const ofSecond = await own(undefined, second);
    const members = await tokensFor(api, ada, rotating, { scopes: ['openid', 'nova'] });
    expect((await dev.browser.delete(of(rotating, `secrets/${first.id}`))).status).toBe(204);
    expect((await get(WALLET, basic(rotating.clientId, rotating.clientSecret))).status).toBe(401);
    expect((await ownToken(rotating)).status).toBe(401);
    expect((await get(WALLET, ofFirst)).status).toBe(401);
    expect(await isActive(ofFirst['authorization']?.split(' ')[1] ?? '', second)).toBe(false);
    expect((await get(WALLET, ofSecond)).status).toBe(200);
    expect((await get('/api/oauth/token-balances', bearer(members.access_token))).status).toBe(200);
    const last = await dev.browser.delete(of(rotating, `secrets/${vienna.id}`));
    expect(last).toMatchObject({ status: 409, body: { code: 'LAST_SECRET' } });
    expect((await get(WALLET, basic(second.clientId, second.clientSecret))).status).toBe(200);
    expect((await make(rotating, 'Next')).status).toBe(201);
    expect((await dev.browser.delete(of(rotating, `secrets/${vienna.id}`))).status).toBe(204);
    expect((await get(WALLET, ofSecond)).status).toBe(401);
  });

  it('are never three, however many are made at once, and never none', async () => {
    const eager = await registerApplication(dev, 'Eager');
    const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => make(eager, `Secret ${i}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('SECRET_LIMIT');
    const both: { id: string }[] = await secretsOf(eager);
    const ends = await Promise.all(both.map(({ id }) => dev.browser.delete(of(eager, `secrets/${id}`))));
    expect(ends.map(({ status }) => String(status)).toSorted()).toEqual(['204', '409']);
    expect(await secretsOf(eager)).toHaveLength(1);
  });

  it('are for their developer alone, and of confidential applications', async () => {
    const stranger = await api.member();
    expect((await stranger.browser.get(of(app, 'secrets'))).status).toBe(404);
    expect((await make(app, 'Mine', stranger)).status).toBe(404);
    const [secret] = await secretsOf(app);
    expect((await stranger.browser.delete(of(app, `secrets/${secret.id}`))).status).toBe(404);
    expect((await dev.browser.delete(of(app, `secrets/${dev.id}`))).body.code).toBe('SECRET_NOT_FOUND');
    const another = await registerApplication(dev, 'Another');
    expect((await dev.browser.delete(of(another, `secrets/${secret.id}`))).status).toBe(404);
    const { body } = await dev.browser.post('/api/oauth/register-app', {
      name: 'Page',
      redirectUris: ['https://app.example.com/callback'],
      isPublic: true,
    });
    const refused = await dev.browser.post(`/api/oauth/application/${body.clientId}/secrets`, { name: 'One' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'PUBLIC_CLIENT' } });
    for (const [name, code] of [
      ['', 'REQUIRED'],
      ['x'.repeat(61), 'INVALID_NAME'],
      ['a\u0000b', 'INVALID_NAME'],
      [7, 'INVALID_NAME'],
    ]) {
      expect(await make(app, name)).toMatchObject({ status: 400, body: { code } });
    }
    expect(JSON.stringify(await secretsOf(app))).not.toContain(secretHash(app.clientSecret));
  });

  it('both end when they are replaced by one', async () => {
    const replaced = await registerApplication(dev, 'Replaced');
    const second = (await make(replaced, 'Second')).body.clientSecret;
    const token = await own(undefined, replaced);
    const { body } = await dev.browser.post('/api/oauth/regenerate-secret', { clientId: replaced.clientId });
    for (const secret of [replaced.clientSecret, second]) {
      expect((await get(WALLET, basic(replaced.clientId, secret))).status).toBe(401);
    }
    expect((await get(WALLET, token)).status).toBe(401);
    expect((await get(WALLET, basic(replaced.clientId, body.clientSecret))).status).toBe(200);
    expect(await secretsOf(replaced)).toHaveLength(1);
  });

  it('write their last use once a minute, however often they prove something', async () => {
    const busy = await registerApplication(dev, 'Busy');
    const call = () => get(WALLET, basic(busy.clientId, busy.clientSecret));
    await call();
    const version = async () =>
      (await api.database.pool.query('select xmin from oauth_secrets where client_id = $1', [busy.clientId])).rows[0];
    const before = await version();
    await Promise.all(Array.from({ length: 40 }, call));
    expect(await version()).toEqual(before);
  });
});

describe('the members who consented', () => {
  it('are listed to the application, newest first, with what the consent says and no more', async () => {
    const club = await registerApplication(dev, 'Club');
    const members = [await api.member(), await api.member(), await api.member()];
    for (const member of members) await authorize(api, member, club, { dailyLimit: 12 });
    await authorize(api, members[0] as TestMember, club, { scopes: ['openid', 'profile'] });
    const headers = await own('members:read', club);
    const first = await get(`${of(club, 'members')}?limit=2`, headers);
    const rest = await get(`${of(club, 'members')}?limit=2&cursor=${first.body.nextCursor}`, headers);
    expect(rest.body.nextCursor).toBeNull();
    expect([...first.body.members, ...rest.body.members]).toEqual(
      members.toReversed().map(({ id }) => ({
        userId: id,
        scopes: expect.arrayContaining(['openid', 'nova']),
        since: expect.any(String),
        dailyLimit: expect.any(Number),
      })),
    );
    expect((await dev.browser.get(of(club, 'members'))).body.members).toHaveLength(3);
    await dev.browser.send('PATCH', `/api/oauth/application/${club.clientId}`, { body: { scopes: ['openid'] } });
    await members[1]?.browser.post('/api/oauth/revoke', { client_id: club.clientId });
    const left = (await get(of(club, 'members'), headers)).body.members;
    expect(left.map(({ userId }: { userId: string }) => userId)).toEqual([members[2]?.id, members[0]?.id]);
    expect(left[0]).toMatchObject({ scopes: ['openid'], dailyLimit: null });
    for (const cursor of ['x', `1_${'-'.repeat(36)}`, '99999999999999999999_1']) {
      const refused = await get(`${of(club, 'members')}?cursor=${cursor}`, headers);
      expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
    }
  });
});

describe("the log of an application's calls", () => {
  const callsOf = async (application: TestApplication, query = '') =>
    (await dev.browser.get(`${of(application, 'calls')}?limit=100${query}`)).body.calls;

  it('tells of every call that proved the application, and keeps no secret', async () => {
    const logged = await registerApplication(dev, 'Logged');
    const { body: named } = await dev.browser.post(of(logged, 'secrets'), { name: 'Night job' });
    const night = { ...logged, clientSecret: named.clientSecret as string };
    const { access_token: members } = await tokensFor(api, ada, night, { scopes: ['openid', 'nova'] });
    const token = (await ownToken(night)).body.access_token;
    const wallet = await get(`${WALLET}?secret=${night.clientSecret}`, bearer(token));
    await get(`${WALLET}/statement?cursor=${token}`, basic(logged.clientId, logged.clientSecret));
    await get(of(other, 'calls'), bearer(token));
    await api.browser().send('POST', '/api/tokens/spend', { headers: bearer(members), body: { amount: 9_000_000 } });
    await ownToken(night, { scope: 'nova' });
    // Nobody else writes into it.
    await ownToken({ ...logged, clientSecret: 'nova_secret_wrong' });
    await get(WALLET, basic(logged.clientId, 'nova_secret_wrong'));
    const calls = await eventually(async () => {
      const all = await callsOf(logged);
      return all.length >= 7 ? all : undefined;
    });
    expect(calls).toHaveLength(7);
    const shown = calls.map((call: Record<string, unknown>) =>
      [call['method'], call['route'], call['status'], call['code'], call['credential'], call['secretName']].join(' '),
    );
    expect(shown.toSorted()).toEqual(
      [
        'POST /oauth/token 200  secret Night job',
        'POST /oauth/token 200  secret Night job',
        'POST /oauth/token 400 invalid_scope secret Night job',
        'GET /api/tokens/wallet 200  token Night job',
        'GET /api/tokens/wallet/statement 400 INVALID_CURSOR secret Secret',
        'GET /api/oauth/application/:clientId/calls 404 APPLICATION_NOT_FOUND token Night job',
        'POST /api/tokens/spend 400 INVALID_AMOUNT member_token ',
      ].toSorted(),
    );
    const [ofWallet] = calls.filter(({ route }: { route: string }) => route === '/api/tokens/wallet');
    expect(ofWallet).toMatchObject({ requestId: wallet.headers.get('x-request-id'), leftOut: 0 });
    expect(ofWallet.durationMs).toBeGreaterThan(0);
    expect(Math.abs(Date.now() - Date.parse(ofWallet.at))).toBeLessThan(60_000);
    const { rows } = await api.database.pool.query('select application_calls::text as line from application_calls');
    const everything = rows.map(({ line }) => line).join('\n');
    for (const secret of [night.clientSecret, logged.clientSecret, token, members, ada.id, 'nova_secret_']) {
      expect(everything).not.toContain(secret);
    }
    const first = await get(`${of(logged, 'calls')}?limit=2`, bearer(token));
    const next = await get(`${of(logged, 'calls')}?limit=2&cursor=${first.body.nextCursor}`, bearer(token));
    const ids = [...first.body.calls, ...next.body.calls].map(({ id }: { id: string }) => BigInt(id));
    expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? 1 : -1)));
    expect(new Set(ids).size).toBe(4);
    expect((await (await api.member()).browser.get(of(logged, 'calls'))).status).toBe(404);
    for (const cursor of ['x', '-1', '9'.repeat(30)]) {
      const refused = await get(`${of(logged, 'calls')}?cursor=${cursor}`, bearer(token));
      expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
    }
  });

  it('leaves out what is too much at once, and says how much', async () => {
    const flooding = await registerApplication(dev, 'Flooding');
    const headers = basic(flooding.clientId, flooding.clientSecret);
    // While a write waits, what comes counts as one second's, however slow the machine is.
    const client = await api.database.pool.connect();
    try {
      await client.query('begin; lock table application_calls in access exclusive mode');
      await get(WALLET, headers);
      await eventually(async () => {
        const { rows } = await client.query(
          "select from pg_locks where relation = 'application_calls'::regclass and not granted",
        );
        return rows.length > 0 || undefined;
      });
      await Promise.all(Array.from({ length: 600 }, () => get(WALLET, headers)));
    } finally {
      await client.query('commit');
      client.release();
    }
    const total = async () => {
      const { rows } = await api.database.pool.query(
        'select count(*)::int as kept, sum(left_out)::int as left_out from application_calls where client_id = $1',
        [flooding.clientId],
      );
      return rows[0] as { kept: number; left_out: number };
    };
    await eventually(async () => {
      const { kept, left_out } = await total();
      return kept + left_out >= 601 || undefined;
    });
    const { kept, left_out } = await total();
    expect(kept + left_out).toBe(601);
    expect(left_out).toBeGreaterThan(0);
  });

  it('is kept for 90 days, and the newest calls alone, and ends with the application', async () => {
    const old = await registerApplication(dev, 'Old');
    const fill = (count: number, age: string) =>
      api.database.pool.query(
        `insert into application_calls (client_id, at, method, route, status, duration_ms, credential, request_id)
         select $1, now() - $3::interval, 'GET', '/api/tokens/wallet', 200, 1, 'secret', 'r' from generate_series(1, $2)`,
        [old.clientId, count, age],
      );
    await fill(3, '91 days');
    await fill(50_007, '89 days');
    const housekeeping = api.nova.app.get(OAuthHousekeeping);
    await housekeeping.sweepCalls();
    const standing = async () =>
      (
        await api.database.pool.query(
          'select count(*)::int as count, sum(left_out)::int as left_out from application_calls where client_id = $1',
          [old.clientId],
        )
      ).rows[0];
    expect(await standing()).toEqual({ count: 50_000, left_out: 7 });
    await fill(2, '1 minute');
    await housekeeping.sweepCalls();
    expect(await standing()).toEqual({ count: 50_000, left_out: 9 });
    expect((await dev.browser.delete(`/api/oauth/application/${old.clientId}`)).status).toBe(200);
    expect((await standing()).count).toBe(0);
    await fill(2, '1 minute');
    await housekeeping.sweepCalls();
    expect((await standing()).count).toBe(0);
  });
});

describe('an application from before secrets had names', () => {
  it('goes on with its secret, and the release before still replaces it', async () => {
    const database = await createTestDatabase('old_secrets');
    const ownerId = '0198c000-0000-7000-8000-000000000001';
    await migrateUntilBefore('oauth-secrets', database, ownerId);
    await database.pool.query(
      `insert into oauth_applications (client_id, owner_id, name, redirect_uris, scopes, secret_hash)
       values ('old', $1, 'Old', '{https://a.example/cb}', '{openid}', $2), ('open', $1, 'Open', '{https://a.example/cb}', '{openid}', null)`,
      [ownerId, secretHash('nova_secret_old')],
    );
    const upgraded = await startTestApi({ database });
    try {
      const call = async (secret: string) => (await upgraded.browser().get(WALLET, basic('old', secret))).status;
      expect(await call('nova_secret_old')).toBe(200);
      const { rows } = await database.pool.query('select client_id, name, created_at from oauth_secrets');
      expect(rows).toEqual([{ client_id: 'old', name: 'Secret', created_at: null }]);
      await database.pool.query('insert into oauth_secrets (client_id, name, hash) values ($1, $2, $3)', [
        'old',
        'Second',
        secretHash('nova_secret_second'),
      ]);
      expect(await call('nova_secret_second')).toBe(200);
      await database.pool.query(`update oauth_applications set secret_hash = $1 where client_id = 'old'`, [
        secretHash('nova_secret_new'),
      ]);
      expect(await call('nova_secret_new')).toBe(200);
      expect(await call('nova_secret_old')).toBe(401);
      expect(await call('nova_secret_second')).toBe(401);
    } finally {
      await upgraded.close();
      await database.drop();
    }
  });
});
