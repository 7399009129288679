import { randomUUID } from 'node:crypto';
import { LEDGER_STREAM } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { v7 as uuidv7 } from 'uuid';
import { inTransaction } from '../../apps/api/src/platform/database/in-transaction.js';
import { EVENT_STORE } from '../../apps/api/src/platform/journal/injected-journal.js';
import { TestToken, authorize, registerApplication, settled, type TestApplication } from '../support/applications.js';
import { startTestApi, type TestAnswer, type TestApi, type TestBrowser, type TestMember } from '../support/api.js';
import { breachesOf } from '../support/breaches.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';
import { eventually } from '../support/eventually.js';
import { verified, WebhookReceiver } from '../support/webhook-receiver.js';
import {
  authorizationRequest,
  authorize as askToAuthorize,
  claimsOf,
  exchange,
  location,
  pkce,
  sendForm,
  type TestApplication as TestClient,
  type Tokens,
} from '../support/oauth.js';

interface MadeUp {
  readonly id: string;
  readonly name: string;
}

describe('test mode', () => {
  let api: TestApi;
  let other: TestApi | undefined;
  let admin: TestMember;
  let dev: TestMember;
  let ada: TestMember;
  let app: TestApplication;
  let test: TestClient;
  let madeUp: MadeUp[];

  const modeOf = async (application = app, by = dev): Promise<TestAnswer> =>
    by.browser.get(`/api/oauth/application/${application.clientId}/test-mode`);

  /** What the portal gives a developer for test mode. */
  const testClientOf = async (application: TestApplication, by = dev): Promise<TestClient> => {
    const { body } = await by.browser.post(`/api/oauth/application/${application.clientId}/test-mode/secret`, {});
    return {
      clientId: (await modeOf(application, by)).body.clientId,
      clientSecret: body.clientSecret,
      redirectUri: application.redirectUri,
    };
  };

  /** A made-up member decides at the screen of test mode, as the page does. */
  const decideAs = (browser: TestBrowser, screen: URL, member: string, more: Record<string, unknown> = {}) => {
    const { client_id, redirect_uri, scope, state, code_challenge, code_challenge_method } = Object.fromEntries(
      screen.searchParams,
    );
    const asked = { client_id, redirect_uri, scope, state, code_challenge, code_challenge_method };
    return browser.post('/api/oauth/test-consent', {
      ...asked,
      member,
      scopes: scope?.split(' ') ?? [],
      approved: true,
      ...more,
    });
  };

  const signIn = async (
    place: number,
    { by = api, client = test, browser = api.browser(), scope = 'openid profile email nova karma influence' } = {},
  ): Promise<Tokens> => {
    const { verifier, challenge } = pkce();
    const request = authorizationRequest(client, {
      scope,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const screen = location(await askToAuthorize(browser, request));
    expect(screen.pathname).toBe('/oauth/consent/test');
    const shown = await browser.get(`/api/oauth/test-consent/${client.clientId}`);
    const decided = await decideAs(browser, screen, shown.body.members[place].id);
    expect(decided).toMatchObject({ status: 200 });
    const back = location(await browser.get(decided.body.redirect_url));
    const code = back.searchParams.get('code') ?? '';
    const answer = await exchange(by, client, { code, code_verifier: verifier });
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    return answer.body;
  };
  const tokenOf = async (place: number, by = api): Promise<TestToken> =>
    new TestToken(by, (await signIn(place, { by })).access_token);

  const basic = ({ clientId, clientSecret }: TestClient) => ({
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
  });
  const inBulk = (items: unknown[], by: TestClient = test): Promise<TestAnswer> =>
    api.browser().send('POST', '/api/tokens/earn/bulk', { body: { items }, headers: basic(by) });

  /** Everything that test mode must leave as it was: the journal, and every row of every read model. */
  const liveBooks = async () => {
    await settled(api);
    const { pool } = api.database;
    const journal = await api.nova.app.get<EventStore>(EVENT_STORE).head(LEDGER_STREAM);
    const sums = await pool.query(`select coalesce(sum(purchased + earned), 0)::text as nova from read.member_balance`);
    const movements = await pool.query('select count(*)::int from read.app_movement');
    return [journal?.revision, sums.rows, movements.rows, (await admin.browser.get('/api/admin/overview')).body];
  };

  beforeAll(async () => {
    const started = await signInAdmin(startTestApi);
    ({ api, admin } = started);
    dev = await api.member({ displayName: 'Dev' });
    ada = await api.member({ displayName: 'Ada' });
    app = await registerApplication(dev);
    await grantNova(admin, dev.id, 2_000);
    await grantNova(admin, ada.id, 1_000);
    test = await testClientOf(app);
    madeUp = (await modeOf()).body.members;
  });
  afterAll(async () => {
    try {
      expect(await breachesOf(api)).toEqual([]);
    } finally {
      await other?.close();
      await api?.close();
    }
  });

  it('gives each application a test client beside the live one, and three made-up members', async () => {
    const { body } = await modeOf();
    expect(body).toMatchObject({ clientId: `test_${app.clientId}`, hasSecret: true, eventsMax: 10_000 });
    expect(body.members.map(({ name }: MadeUp) => name)).toEqual(['Test Ada', 'Test Ben', 'Test Cleo']);
    expect(await modeOf(app, ada)).toMatchObject({ status: 404, body: { code: 'APPLICATION_NOT_FOUND' } });
  });

  it('signs a made-up member in, spends, earns, transfers and lists, and the journal hears nothing', async () => {
    const before = await liveBooks();
    const tokens = await signIn(0);
    expect(claimsOf(tokens)).toMatchObject({
      sub: madeUp[0]?.id,
      name: 'Test Ada',
      aud: test.clientId,
      email_verified: true,
    });
    const token = new TestToken(api, tokens.access_token);
    expect((await token.get('/oauth/userinfo')).body).toMatchObject({ sub: madeUp[0]?.id, name: 'Test Ada' });
    expect((await token.get('/api/oauth/token-balances')).body).toEqual({
      userId: madeUp[0]?.id,
      nova: { balance: 12_500, purchased: 10_000, earned: 2_500, dailyLimit: 5_000, spentToday: 0, leftToday: 5_000 },
      karma: { balance: 0 },
      influence: { points: 0, rating: 5 },
      livemode: false,
    });
    const key = uuidv7();
    const spent = await token.post('/api/tokens/spend', { amount: 25, description: 'A theme' }, key);
    expect(spent).toMatchObject({
      status: 201,
      body: { message: 'Spent 25 Nova.', novaBalance: 12_475, leftToday: 4_975, livemode: false, projected: true },
    });
    const again = await token.post('/api/tokens/spend', { amount: 25, description: 'A theme' }, key);
    expect(again.body.transactionId).toBe(spent.body.transactionId);
    expect(await token.post('/api/tokens/spend', { amount: 26 }, key)).toMatchObject({ status: 422 });
    expect(await token.post('/api/tokens/earn', { amount: 5 })).toMatchObject({
      status: 201,
      body: { novaBalance: 12_480, livemode: false },
    });
    const transferred = await token.post('/api/tokens/transfer', { recipientId: madeUp[1]?.id, amount: 1_000 });
    expect(transferred).toMatchObject({
      status: 201,
      body: { message: 'Sent 1,000 Nova to Test Ben.', novaBalance: 11_480, livemode: false },
    });
    const listed = (await token.get('/api/tokens/transactions?limit=2')).body;
    expect(listed).toMatchObject({ livemode: false, nextCursor: expect.any(String) });
    const rest = (await token.get(`/api/tokens/transactions?limit=2&cursor=${listed.nextCursor}`)).body;
    expect([...listed.transactions, ...rest.transactions].map(({ type, description }) => [type, description])).toEqual([
      ['transfer', null],
      ['earn', null],
      ['spend', 'A theme'],
    ]);
    expect(await liveBooks()).toEqual(before);
  });

  it('refuses what the live rules refuse, in the same words', async () => {
    const cleo = await tokenOf(2);
    expect(await cleo.post('/api/tokens/spend', { amount: 1 })).toMatchObject({
      status: 400,
      body: { code: 'INSUFFICIENT_NOVA', available: 0 },
    });
    const rich = await tokenOf(0);
    expect(await rich.post('/api/tokens/spend', { amount: 5_000 })).toMatchObject({
      status: 403,
      body: { code: 'DAILY_LIMIT' },
    });
    expect(await rich.post('/api/tokens/earn', { amount: 900_000 })).toMatchObject({
      status: 400,
      body: { code: 'APP_INSUFFICIENT_NOVA' },
    });
    const narrow = new TestToken(api, (await signIn(1, { scope: 'openid profile' })).access_token);
    expect(await narrow.post('/api/tokens/spend', { amount: 1 })).toMatchObject({ status: 403 });
  });

  it('shows the wallet of test mode to the application and its developer, who fill it with made-up Nova', async () => {
    const own = api.browser();
    const wallet = (await own.get('/api/tokens/wallet', basic(test))).body;
    expect(wallet).toMatchObject({ livemode: false, totals: { funded: 50_000 } });
    const path = `/api/oauth/application/${test.clientId}/wallet`;
    expect((await dev.browser.get(path)).body).toEqual(wallet);
    const held = await novaBalance(dev);
    expect(await dev.browser.post(`${path}/fund`, { amount: 100 })).toMatchObject({
      status: 201,
      body: { balance: wallet.balance + 100, novaBalance: 49_900, livemode: false },
    });
    expect(await novaBalance(dev)).toBe(held);
    expect(await ada.browser.get(path)).toMatchObject({ status: 404 });
    const { entries } = (await own.get('/api/tokens/wallet/statement?limit=1', basic(test))).body;
    expect(entries).toMatchObject([{ type: 'fund', amount: 100, member: { displayName: 'Test developer' } }]);
  });

  it('says livemode: true of live calls', async () => {
    const token = await authorize(api, ada, app, { scopes: ['openid', 'nova'] });
    expect((await token.get('/api/oauth/token-balances')).body).toMatchObject({ livemode: true });
    expect((await token.post('/api/tokens/spend', { amount: 1 })).body).toMatchObject({ livemode: true });
  });

  it('reads and changes no session of whoever sits at the browser', async () => {
    const { browser } = ada;
    await authorize(api, ada, app);
    const cookies = () => [...browser.cookies].filter(([name]) => !name.startsWith('nova_test_'));
    const before = cookies();
    await signIn(1, { browser });
    await signIn(2, { browser });
    expect(cookies()).toEqual(before);
    expect((await browser.get('/api/auth/user')).body).toMatchObject({ user: { id: ada.id } });
    const { rows } = await api.database.pool.query(
      `select count(*)::int from oauth_payloads where client_id = $1 and account_id = $2`,
      [test.clientId, ada.id],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('lets a made-up member say no', async () => {
    const browser = api.browser();
    const screen = location(await askToAuthorize(browser, authorizationRequest(test)));
    const { body } = await decideAs(browser, screen, madeUp[0]?.id ?? '', { approved: false });
    const back = location(await browser.get(body.redirect_url));
    expect(back.href).toContain('https://app.example.com/callback?error=access_denied');
    const page = await askToAuthorize(browser, authorizationRequest(test, { redirect_uri: 'https://evil.example/' }));
    expect(page).toMatchObject({ status: 400 });
  });

  describe('never crosses over to the live ledger', () => {
    let live: TestToken;
    let token: TestToken;
    let before: unknown;
    beforeAll(async () => {
      live = await authorize(api, ada, app);
      token = await tokenOf(0);
      await dev.browser.post(`/api/oauth/application/${app.clientId}/wallet/fund`, { amount: 500 });
      before = await liveBooks();
    });
    afterAll(async () => expect(await liveBooks()).toEqual(before));

    it('by the ids of members', async () => {
      const bulk = (userId: string, by?: TestClient) => inBulk([{ userId, amount: 1 }], by);
      expect(await bulk(ada.id)).toMatchObject({ status: 403, body: { code: 'CONSENT_MISSING' } });
      expect(await bulk(madeUp[0]?.id ?? '', app)).toMatchObject({ status: 403, body: { code: 'CONSENT_MISSING' } });
      const transfer = (by: TestToken, recipientId = '') =>
        by.post('/api/tokens/transfer', { recipientId, amount: 1_000 });
      expect(await transfer(token, ada.id)).toMatchObject({ status: 404, body: { code: 'RECIPIENT_NOT_FOUND' } });
      expect(await transfer(live, madeUp[1]?.id)).toMatchObject({ status: 404, body: { code: 'RECIPIENT_NOT_FOUND' } });
    });

    it('by secrets of the other mode', async () => {
      const mixed = [
        { ...app, clientSecret: test.clientSecret },
        { ...test, clientSecret: app.clientSecret },
      ];
      for (const wrong of mixed) {
        expect(await api.browser().get('/api/tokens/wallet', basic(wrong))).toMatchObject({ status: 401 });
        const { clientId: client_id, clientSecret: client_secret } = wrong;
        const asked = { grant_type: 'refresh_token', refresh_token: 'x', client_id, client_secret };
        expect(await sendForm(api, '/oauth/token', asked)).toMatchObject({ status: 401 });
      }
    });

    it('by codes and refresh tokens of the other mode', async () => {
      const tokens = await signIn(0);
      const { clientId: client_id, clientSecret: client_secret } = app;
      const renewed = (client: TestClient) =>
        sendForm(api, '/oauth/token', {
          grant_type: 'refresh_token',
          refresh_token: tokens.refresh_token,
          client_id: client.clientId,
          client_secret: client.clientSecret,
        });
      expect(await renewed({ ...app, clientId: client_id, clientSecret: client_secret })).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
      expect(await renewed(test)).toMatchObject({ status: 200 });
    });

    it('by an idempotency key that both modes use', async () => {
      const key = uuidv7();
      const [one, again] = [
        await token.post('/api/tokens/earn', { amount: 0.01 }, key),
        await token.post('/api/tokens/earn', { amount: 0.01 }, key),
      ];
      expect(one.body.transactionId).toBe(again.body.transactionId);
      // The same key is new to the journal: it refuses for a reason of its own.
      expect(await live.post('/api/tokens/spend', { amount: 999_999 }, key)).toMatchObject({ status: 403 });
    });

    it('by the screen of the other mode', async () => {
      const screen = new URL(`http://nova.test/?${authorizationRequest(test).toString()}`);
      const asked = { ...Object.fromEntries(screen.searchParams), scopes: ['openid'], approved: true };
      const { response_type: _, ...decision } = asked as Record<string, unknown>;
      expect(await ada.browser.post('/api/oauth/consent', decision)).toMatchObject({ status: 404 });
      expect(await ada.browser.get(`/api/oauth/client-info/${test.clientId}`)).toMatchObject({ status: 404 });
      expect(await api.browser().get(`/api/oauth/test-consent/${app.clientId}`)).toMatchObject({ status: 404 });
      const browser = api.browser();
      const at = location(await askToAuthorize(browser, authorizationRequest(test)));
      for (const member of [ada.id, randomUUID()]) {
        expect(await decideAs(browser, at, member)).toMatchObject({ status: 400, body: { code: 'INVALID_MEMBER' } });
      }
      expect(await ada.browser.post('/api/oauth/revoke', { client_id: test.clientId })).toMatchObject({ status: 404 });
    });

    it('by a device without a browser', async () => {
      await dev.browser.send('PATCH', `/api/oauth/application/${app.clientId}`, { body: { deviceFlow: true } });
      const { clientId: client_id, clientSecret: client_secret } = test;
      const asked = await sendForm(api, '/oauth/device_authorization', { client_id, client_secret });
      expect(asked).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    });
  });

  describe('webhooks', () => {
    const EVENTS = ['consent.granted', 'consent.changed', 'tokens.spent', 'wallet.funded', 'balance.changed'];
    let receiver: WebhookReceiver;
    let shop: TestApplication;
    let client: TestClient;
    let hook: { readonly url: string; readonly id: string; readonly secret: string };
    let liveUrl: string;

    const hooks = (clientId: string) => `/api/oauth/application/${clientId}/webhooks`;
    const reset = () => dev.browser.post(`/api/oauth/application/${shop.clientId}/test-mode/reset`, {});
    const addWebhook = async (clientId: string, url: string) => {
      const added = await dev.browser.post(hooks(clientId), { url, events: EVENTS });
      expect(added).toMatchObject({ status: 201 });
      return { ...(added.body as { id: string; secret: string }), url };
    };

    beforeAll(async () => {
      receiver = await WebhookReceiver.start();
      shop = await registerApplication(dev, 'Shop');
      client = await testClientOf(shop);
      hook = await addWebhook(client.clientId, receiver.address());
      liveUrl = (await addWebhook(shop.clientId, receiver.address())).url;
    });
    afterAll(() => receiver?.close());

    it('tell of made-up members and Nova with livemode false, in sequence, and live ones of live alone', async () => {
      const token = new TestToken(api, (await signIn(0, { client, scope: 'openid nova' })).access_token);
      const { body: spent } = await token.post('/api/tokens/spend', { amount: 25 });
      await dev.browser.post(`/api/oauth/application/${client.clientId}/wallet/fund`, { amount: 3 });
      await receiver.messages(hook.url, 4);
      const all = receiver.of(hook.url).toSorted((a, b) => a.message.sequence - b.message.sequence);
      const userId = (await modeOf(shop)).body.members[0].id;
      expect(all.map(({ message: { sequence, livemode } }) => [sequence, livemode])).toEqual(
        all.map((_, index) => [index + 1, false]),
      );
      expect(all.map(({ message: { type, data } }) => [type, data])).toEqual([
        ['consent.granted', { userId, scopes: expect.arrayContaining(['openid', 'nova']), dailyLimit: 5_000 }],
        ['tokens.spent', { userId, amount: 25, transactionId: spent.transactionId }],
        ['balance.changed', { userId, changes: { nova: -25 } }],
        ['wallet.funded', { amount: 3, transactionId: expect.any(String) }],
      ]);
      for (const each of all) expect(verified(hook.secret, each)).toEqual(each.message);
      expect(receiver.of(liveUrl)).toEqual([]);
      const live = await authorize(api, ada, shop, { scopes: ['openid', 'nova'] });
      await live.post('/api/tokens/spend', { amount: 1 });
      const told = await receiver.messages(liveUrl, 3);
      expect(new Set(told.map(({ livemode }) => livemode))).toEqual(new Set([true]));
      expect(receiver.of(hook.url)).toHaveLength(4);
    });

    it('are looked after by the application itself, each mode its own', async () => {
      const own = api.browser();
      const list = (by: TestClient, of: string) => own.get(hooks(of), basic(by));
      expect((await list(client, client.clientId)).body.webhooks).toMatchObject([{ id: hook.id }]);
      expect(await list(client, shop.clientId)).toMatchObject({ status: 404 });
      expect(await list(shop, client.clientId)).toMatchObject({ status: 404 });
      expect(await ada.browser.get(hooks(client.clientId))).toMatchObject({ status: 404 });
      const { clientId: client_id, clientSecret: client_secret } = client;
      const asked = { grant_type: 'client_credentials', scope: 'webhooks', client_id, client_secret };
      const { body } = await sendForm(api, '/oauth/token', asked);
      const bearer = { authorization: `Bearer ${body.access_token}` };
      expect(await own.get(hooks(client.clientId), bearer)).toMatchObject({ status: 200 });
      expect(await own.get(hooks(shop.clientId), bearer)).toMatchObject({ status: 404 });
    });

    it('tell nothing of test data that was reset, waiting or followed late', async () => {
      const count = receiver.of(hook.url).length;
      receiver.answers.set(new URL(hook.url).pathname, (response) => response.writeHead(500).end());
      const token = new TestToken(api, (await signIn(1, { client, scope: 'openid nova' })).access_token);
      await token.post('/api/tokens/spend', { amount: 2 });
      await receiver.messages(hook.url, count + 3);
      // The next ones happen while nobody follows, and are reset before somebody does.
      await inTransaction(api.database.pool, async (holding) => {
        await holding.query('select from webhook_process for update');
        await token.post('/api/tokens/spend', { amount: 3 });
        await dev.browser.post(`/api/oauth/application/${client.clientId}/wallet/fund`, { amount: 4 });
        expect(await reset()).toMatchObject({ status: 200 });
      });
      const { body } = await dev.browser.get(`${hooks(client.clientId)}/${hook.id}/deliveries`);
      expect(body.deliveries).toEqual([]);
      receiver.answers.delete(new URL(hook.url).pathname);
      const before = receiver.of(hook.url).length;
      await signIn(2, { client, scope: 'openid nova' });
      await dev.browser.post(`/api/oauth/application/${client.clientId}/wallet/fund`, { amount: 7 });
      await receiver.messages(hook.url, before + 2);
      await eventually(async () => {
        const { rows } = await api.database.pool.query(
          'select count(*)::int from webhook_deliveries where endpoint_id = $1 and next_at is not null',
          [hook.id],
        );
        return rows[0].count === 0;
      });
      const cleo = (await modeOf(shop)).body.members[2].id;
      const told = receiver.of(hook.url).slice(before);
      expect(told.map(({ message: { type, data } }) => [type, data.userId ?? data.amount])).toEqual([
        ['consent.granted', cleo],
        ['wallet.funded', 7],
      ]);
    });

    it('stop while the application is off, and go with it', async () => {
      await dev.browser.send('PATCH', `/api/oauth/application/${shop.clientId}`, { body: { isActive: false } });
      const before = receiver.of(hook.url).length;
      expect(await dev.browser.post(`${hooks(client.clientId)}/${hook.id}/test`)).toMatchObject({ status: 201 });
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(receiver.of(hook.url)).toHaveLength(before);
      await dev.browser.send('PATCH', `/api/oauth/application/${shop.clientId}`, { body: { isActive: true } });
      const told = await receiver.messages(hook.url, before + 1);
      expect(told.at(-1)).toMatchObject({ type: 'webhook.test', livemode: false });
    });
  });

  it('marks its calls in the application’s log', async () => {
    const token = await tokenOf(0);
    await token.get('/api/oauth/token-balances');
    const live = await authorize(api, ada, app);
    await live.get('/api/oauth/token-balances');
    const calls = await eventually(
      async () => (await dev.browser.get(`/api/oauth/application/${app.clientId}/calls?limit=2`)).body.calls,
      ([newest]) => newest?.route === '/api/oauth/token-balances' && newest.livemode,
    );
    expect(calls[0]).toMatchObject({ route: '/api/oauth/token-balances', livemode: true });
    const { body } = await dev.browser.get(`/api/oauth/application/${app.clientId}/calls?limit=20`);
    const seen = body.calls.find(({ livemode }: { livemode: boolean }) => !livemode);
    expect(seen).toMatchObject({ route: '/api/oauth/token-balances', livemode: false });
  });

  it('lives on with another server, and on both at once', async () => {
    // Closed last: two servers of one process share what checks sessions.
    other = await startTestApi({ database: api.database, environment: { RATE_LIMIT_FACTOR: '1000' } });
    const { access_token } = await signIn(0);
    const [here, there] = [new TestToken(api, access_token), new TestToken(other, access_token)];
    const { balance } = (await here.get('/api/oauth/token-balances')).body.nova;
    expect((await there.get('/api/oauth/token-balances')).body.nova.balance).toBe(balance);
    const calls = Array.from({ length: 20 }, (_, each) =>
      (each % 2 === 0 ? here : there).post('/api/tokens/spend', { amount: 1 }),
    );
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 201));
    const after = await Promise.all([here, there].map((by) => by.get('/api/oauth/token-balances')));
    expect(after.map(({ body }) => body.nova.balance)).toEqual([balance - 20, balance - 20]);
  });

  it('ends with the application that is switched off or deleted', async () => {
    const shortLived = await registerApplication(dev, 'Short');
    const client = await testClientOf(shortLived);
    const token = new TestToken(api, (await signIn(0, { client })).access_token);
    const balances = async () => (await token.get('/api/oauth/token-balances')).status;
    expect(await balances()).toBe(200);
    await dev.browser.send('PATCH', `/api/oauth/application/${shortLived.clientId}`, { body: { isActive: false } });
    expect(await balances()).toBe(401);
    await dev.browser.send('PATCH', `/api/oauth/application/${shortLived.clientId}`, { body: { isActive: true } });
    expect(await balances()).toBe(200);
    expect(await dev.browser.send('DELETE', `/api/oauth/application/${shortLived.clientId}`)).toMatchObject({
      status: 200,
    });
    expect(await balances()).toBe(401);
    expect(await api.browser().get(`/api/oauth/test-consent/${client.clientId}`)).toMatchObject({ status: 404 });
  });

  it('takes 10,000 events and no more, until the developer resets it', async () => {
    const token = await tokenOf(0);
    const { events } = (await modeOf()).body;
    const room = 10_000 - events;
    const pay = (count: number) =>
      inBulk(Array.from({ length: count }, () => ({ userId: madeUp[0]?.id, amount: 0.01 })));
    for (let left = room; left > 0; left -= 500) {
      expect(await pay(Math.min(500, left))).toMatchObject({ status: 201, body: { livemode: false } });
    }
    expect((await modeOf()).body.events).toBe(10_000);
    const full = await token.post('/api/tokens/spend', { amount: 1 });
    expect(full).toMatchObject({ status: 409, body: { code: 'TEST_EVENTS_LIMIT' } });
    expect(full.body.message).toContain('10,000 events');
    expect(await token.get('/api/oauth/token-balances')).toMatchObject({ status: 200 });
    const reset = await dev.browser.post(`/api/oauth/application/${app.clientId}/test-mode/reset`, {});
    expect(reset).toMatchObject({ status: 200, body: { events: 0, hasSecret: true, resetsLeft: 9 } });
    expect(reset.body.members.map(({ id }: MadeUp) => id)).not.toContain(madeUp[0]?.id);
    expect(await token.get('/api/oauth/token-balances')).toMatchObject({ status: 401 });
    const anew = await tokenOf(0);
    expect((await anew.get('/api/oauth/token-balances')).body.nova.balance).toBe(12_500);
    const { rows } = await api.database.pool.query(`select count(*)::int from movement_notes where client_id = $1`, [
      test.clientId,
    ]);
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('is reset ten times a day at most', async () => {
    const reset = () => dev.browser.post(`/api/oauth/application/${app.clientId}/test-mode/reset`, {});
    for (let left = 9; left > 0; left -= 1) expect(await reset()).toMatchObject({ status: 200 });
    const refused = await reset();
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
