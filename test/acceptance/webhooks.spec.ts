import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTransaction } from '../../apps/api/src/platform/database/in-transaction.js';
import { PLACES_OF_ENDPOINT, RETRY_PAUSES_MS } from '../../apps/api/src/webhooks/limits.js';
import { WebhooksHousekeeping } from '../../apps/api/src/webhooks/webhooks-housekeeping.js';
import { NovaApplication, type WebhookDelivery, Webhooks } from '../../libs/sdk/src/index.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { authorize, registerApplication, type TestApplication, type TestToken } from '../support/applications.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { authorizationRequest, giveConsent } from '../support/oauth.js';
import { verified, WebhookReceiver } from '../support/webhook-receiver.js';

const EVENTS = [
  'consent.granted',
  'consent.changed',
  'consent.revoked',
  'tokens.spent',
  'tokens.earned',
  'transfer.sent',
  'wallet.funded',
  'wallet.withdrawn',
  'balance.changed',
];

// Servers that share no data folder share the key.
const sharedKey = { RATE_LIMIT_FACTOR: '100', WEBHOOK_KEY: randomBytes(32).toString('base64') };

function fail(): never {
  throw new Error('nothing came');
}

let api: TestApi;
let another: TestApi;
let admin: TestMember;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  ({ api, admin } = await signInAdmin(startTestApi, { environment: sharedKey }));
  another = await startTestApi({ database: api.database, environment: sharedKey });
});
afterAll(async () => {
  await another?.close();
  await api?.close();
  receiver?.close();
});

const hooks = ({ clientId }: TestApplication): string => `/api/oauth/application/${clientId}/webhooks`;

async function rich(): Promise<TestMember> {
  const member = await api.member();
  await grantNova(admin, member.id, 20_000);
  return member;
}

interface Hooked {
  readonly app: TestApplication;
  readonly developer: TestMember;
  readonly url: string;
  readonly id: string;
  readonly secret: string;
}

/** An application with an endpoint. */
async function hooked(
  events: readonly string[] = EVENTS,
  answer?: Parameters<WebhookReceiver['address']>[0],
): Promise<Hooked> {
  const developer = await rich();
  const app = await registerApplication(developer);
  return { app, developer, ...(await endpointOf(app, events, answer)) };
}

async function endpointOf(
  app: TestApplication,
  events: readonly string[] = EVENTS,
  answer?: Parameters<WebhookReceiver['address']>[0],
) {
  const url = receiver.address(answer);
  const added = await app.developer.browser.post(hooks(app), { url, events });
  expect([added.status, added.body]).toEqual([
    201,
    { id: expect.any(String), secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) },
  ]);
  const { id, secret } = added.body as { id: string; secret: string };
  return { url, id, secret };
}

const patch = ({ app, id, developer }: Hooked, body: object) =>
  developer.browser.send('PATCH', `${hooks(app)}/${id}`, { body });
const deliveries = async ({ app, id, developer }: Hooked) =>
  (await developer.browser.get(`${hooks(app)}/${id}/deliveries?limit=100`)).body.deliveries;
const revoke = (member: TestMember, { clientId }: TestApplication) =>
  member.browser.post('/api/oauth/revoke', { client_id: clientId });
const spend = (token: TestToken, amount: number) => token.post('/api/tokens/spend', { amount });
const waiting = async ({ id }: Hooked): Promise<number> =>
  Number(
    (
      await api.database.pool.query(
        'select count(*) from webhook_deliveries where endpoint_id = $1 and next_at is not null',
        [id],
      )
    ).rows[0].count,
  );
/** As if the pauses were over. */
const hurry = ({ id }: Hooked) =>
  api.database.pool.query(
    'update webhook_deliveries set next_at = now() where endpoint_id = $1 and next_at is not null',
    [id],
  );

describe('webhooks', () => {
  it('tell an application of consents and Nova, in sequence, signed', async () => {
    const { app, developer, url, secret } = await hooked();
    const [ada, bob] = [await rich(), await api.member()];
    const token = await authorize(api, ada, app, { scopes: ['openid', 'nova', 'karma'] });
    await spend(token, 12.5);
    await token.post('/api/tokens/earn', { amount: 2 });
    await token.post('/api/tokens/transfer', { recipientId: bob.id, amount: 1_000 });
    await developer.browser.post(`/api/oauth/application/${app.clientId}/wallet/fund`, { amount: 3 });
    await developer.browser.post(`/api/oauth/application/${app.clientId}/wallet/withdraw`, { amount: 1 });
    await grantNova(admin, ada.id, 7);
    await ada.browser.send('PATCH', `/api/oauth/consents/${app.clientId}`, { body: { dailyLimit: 2_000 } });
    await receiver.messages(url, 11);
    await revoke(ada, app);
    await receiver.messages(url, 12);
    const all = receiver.of(url).toSorted((a, b) => a.message.sequence - b.message.sequence);
    expect(all.map(({ message }) => message.sequence)).toEqual(all.map((_, index) => index + 1));
    const told = all.map(({ message: { type, data } }) => [type, data]);
    const isConsent = ([type]: unknown[]): boolean => String(type).startsWith('consent.');
    const transactionId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const userId = ada.id;
    // The journal and the consents are two orders.
    expect(told.filter((each) => !isConsent(each))).toEqual([
      ['tokens.spent', { userId, amount: 12.5, transactionId }],
      ['balance.changed', { userId, changes: { nova: -12.5 } }],
      ['tokens.earned', { userId, amount: 2, transactionId }],
      ['balance.changed', { userId, changes: { nova: 2 } }],
      ['transfer.sent', { userId, amount: 1_000, recipientId: bob.id, transactionId }],
      ['balance.changed', { userId, changes: { nova: -1_000 } }],
      ['wallet.funded', { amount: 3, transactionId }],
      ['wallet.withdrawn', { amount: 1, transactionId }],
      ['balance.changed', { userId, changes: { nova: 7 } }],
    ]);
    expect(told.filter(isConsent)).toEqual([
      ['consent.granted', { userId, scopes: expect.arrayContaining(['openid', 'nova', 'karma']), dailyLimit: 5_000 }],
      ['consent.changed', expect.objectContaining({ userId, dailyLimit: 2_000 })],
      ['consent.revoked', { userId }],
    ]);
    for (const hook of all) {
      expect(verified(secret, hook)).toEqual(hook.message);
      expect(() => verified(secret, { ...hook, body: hook.body.replace('1', '2') })).toThrow();
    }
    const [{ headers, message }] = all as [(typeof all)[number]];
    expect(headers['content-type']).toBe('application/json');
    expect(Math.abs(Date.now() - Date.parse(message.timestamp))).toBeLessThan(60_000);
  });

  it('tell only what the member consented to, and only the types that are wanted', async () => {
    const { app, url } = await hooked(['consent.granted', 'tokens.spent', 'balance.changed']);
    const [ada, bob] = [await rich(), await rich()];
    await authorize(api, ada, app, { scopes: ['openid', 'profile'] });
    await grantNova(admin, ada.id, 5);
    // Bob gets Nova while nobody follows the journal, and consents before somebody does.
    const token = await inTransaction(api.database.pool, async (holding) => {
      await holding.query('select from webhook_process for update');
      await grantNova(admin, bob.id, 5);
      return authorize(api, bob, app);
    });
    await token.post('/api/tokens/earn', { amount: 1 });
    await spend(token, 4);
    await receiver.messages(url, 4);
    expect(receiver.of(url).map(({ message: { type, data } }) => [type, data.userId])).toEqual([
      ['consent.granted', ada.id],
      ['consent.granted', bob.id],
      ['tokens.spent', bob.id],
      ['balance.changed', bob.id],
    ]);
  });

  it('are retried as they were, and hold nothing back', async () => {
    const answers: Parameters<WebhookReceiver['address']>[0][] = [
      (response) => response.writeHead(500).end('not now'),
      (response) => void response.writeHead(200).write('so', () => response.destroy()),
    ];
    const hook = await hooked(['tokens.spent'], (response) => {
      const answer = answers.shift();
      if (answer) answer(response);
      else response.writeHead(200).end('fine');
    });
    const token = await authorize(api, await rich(), hook.app);
    await spend(token, 1);
    await eventually(async () => (await deliveries(hook))[0]?.attempts.length === 1);
    await spend(token, 2);
    await spend(token, 3);
    await receiver.messages(hook.url, 3);
    expect(receiver.of(hook.url).map(({ message }) => message.sequence)).toEqual([1, 2, 3]);
    const [third, second, first] = await eventually(
      () => deliveries(hook),
      (all) => all.every(({ attempts }: { attempts: unknown[] }) => attempts.length === 1),
    );
    expect(third).toMatchObject({ status: 'delivered' });
    expect(first).toMatchObject({ status: 'waiting', attempts: [{ status: 500, answer: 'not now' }] });
    expect(Date.parse(first.nextAt) - Date.parse(first.attempts[0].at)).toBeGreaterThan(4_000);
    expect(second).toMatchObject({ status: 'waiting', attempts: [{ error: 'The connection failed: ECONNRESET.' }] });
    await hurry(hook);
    await eventually(async () => (await waiting(hook)) === 0);
    const [one] = receiver.of(hook.url);
    const again = receiver.of(hook.url).find(({ message }, index) => index > 2 && message.sequence === 1);
    expect(again?.body).toBe(one?.body);
    expect(again?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
    expect(verified(hook.secret, again ?? fail())).toEqual(one?.message);
    expect((await deliveries(hook)).at(-1)).toMatchObject({
      status: 'delivered',
      nextAt: null,
      attempts: [{ status: 500 }, { status: 200, answer: 'fine' }],
    });
  });

  it('of a member are dropped when they take their consent back, also those that wait or were sent', async () => {
    let isDown = false;
    const hook = await hooked(EVENTS, (response) => response.writeHead(isDown ? 503 : 204).end());
    const ada = await rich();
    const token = await authorize(api, ada, hook.app);
    await spend(token, 1);
    await receiver.messages(hook.url, 3);
    isDown = true;
    await spend(token, 2);
    await eventually(async () => (await waiting(hook)) === 2);
    const [newest, , sent] = await deliveries(hook);
    await revoke(ada, hook.app);
    isDown = false;
    const before = receiver.of(hook.url).length;
    await hurry(hook);
    await eventually(async () => (await waiting(hook)) === 0);
    await grantNova(admin, ada.id, 3);
    for (const { id } of [newest, sent]) {
      const path = `${hooks(hook.app)}/${hook.id}/deliveries/${id}/redeliver`;
      expect((await hook.developer.browser.post(path)).status).toBe(404);
    }
    await replay(hook, '2020-01-01');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const types = receiver
      .of(hook.url)
      .slice(before)
      .map(({ message: { type, data } }) => [type, data]);
    expect(types.length).toBeGreaterThan(0);
    expect(new Set(types.map(([type]) => type))).toEqual(new Set(['consent.revoked']));
    expect((await deliveries(hook)).map(({ type }: { type: string }) => type)).toEqual(['consent.revoked']);
  });

  it('tell nothing of a member whose revocation was under way', async () => {
    const hook = await hooked(['balance.changed', 'wallet.funded']);
    const ada = await rich();
    await authorize(api, ada, hook.app);
    await inTransaction(api.database.pool, async (client) => {
      await client.query('update oauth_consents set revoked_at = now() where user_id = $1', [ada.id]);
      await grantNova(admin, ada.id, 5);
      await hook.developer.browser.post(`/api/oauth/application/${hook.app.clientId}/wallet/fund`, { amount: 3 });
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
    expect((await receiver.messages(hook.url, 1)).map(({ type }) => type)).toEqual(['wallet.funded']);
  });

  it('forget what a scope showed once it is taken back', async () => {
    const hook = await hooked(['consent.changed', 'tokens.spent'], (response) => response.writeHead(503).end());
    const ada = await rich();
    const token = await authorize(api, ada, hook.app);
    await spend(token, 1);
    await eventually(async () => (await waiting(hook)) === 1);
    const request = authorizationRequest(hook.app, { scope: 'openid nova', prompt: 'consent' });
    await giveConsent(ada.browser, request, { scopes: ['openid'] });
    await eventually(async () => (await waiting(hook)) === 1);
    const [only, ...others] = await deliveries(hook);
    expect([JSON.parse(only.body).data, others]).toEqual([{ userId: ada.id, scopes: ['openid'] }, []]);
  });

  it('tell that a consent ended with its member’s account', async () => {
    const hook = await hooked();
    const ada = await api.member();
    await authorize(api, ada, hook.app);
    await receiver.messages(hook.url, 1);
    expect((await admin.browser.delete(`/api/admin/users/${ada.id}`, { reason: 'asked for' })).status).toBeLessThan(
      300,
    );
    const [, last] = await receiver.messages(hook.url, 2);
    expect(last).toMatchObject({ type: 'consent.revoked', data: { userId: ada.id } });
    expect(await deliveries(hook)).toHaveLength(1);
  });

  it('are queued once by however many servers', async () => {
    const hook = await hooked(['tokens.spent']);
    const token = await authorize(api, await rich(), hook.app);
    await Promise.all(Array.from({ length: 20 }, (_, n) => spend(token, n + 1)));
    await receiver.messages(hook.url, 20);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.of(hook.url)).toHaveLength(20);
    expect((await deliveries(hook)).map(({ sequence }: { sequence: number }) => sequence)).toEqual(
      Array.from({ length: 20 }, (_, n) => 20 - n),
    );
  });
});

const replay = ({ app, id, developer }: Hooked, from: unknown) =>
  developer.browser.post(`${hooks(app)}/${id}/replay`, { from });
const test = ({ app, id, developer }: Hooked) => developer.browser.post(`${hooks(app)}/${id}/test`);
const list = async ({ app, developer }: Pick<Hooked, 'app' | 'developer'>) =>
  (await developer.browser.get(hooks(app))).body.webhooks;

describe('an endpoint', () => {
  it('is deleted also while what it was sent is being written down', async () => {
    const hook = await hooked(['tokens.spent']);
    await spend(await authorize(api, await rich(), hook.app), 1);
    await eventually(async () => (await deliveries(hook))[0]?.status === 'delivered');
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock'
      and query like 'delete from webhook_endpoints%' and datname = current_database()`;
    let deleted: ReturnType<typeof hook.developer.browser.delete> | undefined;
    // Each waits for the other, and Postgres ends one: mostly the deletion, on a busy machine now and then the sender.
    await inTransaction(api.database.pool, async (sender) => {
      await sender.query('update webhook_deliveries set tries = tries + 1 where endpoint_id = $1', [hook.id]);
      if (!deleted) {
        deleted = hook.developer.browser.delete(`${hooks(hook.app)}/${hook.id}`);
        await eventually(async () => (await api.database.pool.query(waits)).rowCount === 1);
      }
      await sender.query('update webhook_endpoints set failing_since = now() where id = $1', [hook.id]);
    });
    expect((await deleted)?.status).toBe(204);
  });

  it('that nothing reaches for three days is switched off, and its developer told; switched on, it gets what waits', async () => {
    let isDown = true;
    const hook = await hooked(['tokens.spent'], (response) => response.writeHead(isDown ? 500 : 204).end());
    const token = await authorize(api, await rich(), hook.app);
    await spend(token, 1);
    await eventually(async () => (await list(hook))[0].failingSince !== null);
    const last = `update webhook_deliveries set next_at = now(), tries = ${RETRY_PAUSES_MS.length} where endpoint_id = $1`;
    await api.database.pool.query(last, [hook.id]);
    await eventually(async () => (await deliveries(hook))[0].status === 'given_up');
    expect((await list(hook))[0]).toMatchObject({ isOn: true, offReason: null });
    await spend(token, 2);
    await eventually(async () => (await deliveries(hook))[0].attempts.length === 1);
    await api.database.pool.query(
      `update webhook_endpoints set failing_since = now() - interval '73 hours' where id = $1`,
      [hook.id],
    );
    await api.database.pool.query(`${last} and outcome is null`, [hook.id]);
    await eventually(async () => (await list(hook))[0].offReason === 'failing');
    const { notices } = (await hook.developer.browser.get('/api/notices')).body;
    expect(notices[0]).toMatchObject({
      kind: 'webhook_off',
      text: 'A webhook of Chess Club could not be reached. Its deliveries wait until you switch it on.',
      path: `/developer/apps/${hook.app.clientId}`,
    });
    expect((await test(hook)).body.code).toBe('WEBHOOK_OFF');
    const before = receiver.of(hook.url).length;
    await spend(token, 3);
    await eventually(async () => (await waiting(hook)) === 1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.of(hook.url)).toHaveLength(before);
    isDown = false;
    expect((await patch(hook, { isOn: true })).body).toMatchObject({ isOn: true, failingSince: null });
    const told = await receiver.messages(hook.url, before + 1);
    expect(told.at(-1).data.amount).toBe(3);
    // Written down as delivered: what is under way is not replayed.
    await eventually(async () => (await waiting(hook)) === 0);
    expect((await replay(hook, '2020-01-01')).body).toEqual({ count: 3 });
    await receiver.messages(hook.url, before + 4);
    expect(
      receiver
        .of(hook.url)
        .slice(-3)
        .map(({ message }) => message.sequence),
    ).toEqual([1, 2, 3]);
  });

  it('that is gone is switched off at once', async () => {
    const hook = await hooked(EVENTS, (response) => response.writeHead(410).end());
    expect((await test(hook)).status).toBe(201);
    await eventually(async () => (await list(hook))[0].offReason === 'gone');
  });

  it('is signed for with both secrets while they change', async () => {
    const hook = await hooked();
    await test(hook);
    await receiver.messages(hook.url, 1);
    const rotated = await hook.developer.browser.post(`${hooks(hook.app)}/${hook.id}/rotate-secret`);
    expect(rotated.status).toBe(201);
    expect(rotated.body.secret).not.toBe(hook.secret);
    expect(Date.parse(rotated.body.previousUntil) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    await test(hook);
    await receiver.messages(hook.url, 2);
    const [, during = fail()] = receiver.of(hook.url);
    expect(during.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const secret of [hook.secret, rotated.body.secret]) {
      expect(verified(secret, during)).toMatchObject({ type: 'webhook.test' });
    }
    await api.database.pool.query('update webhook_endpoints set previous_until = now() where id = $1', [hook.id]);
    await test(hook);
    await receiver.messages(hook.url, 3);
    const [, , after = fail()] = receiver.of(hook.url);
    expect(verified(rotated.body.secret, after)).toMatchObject({ type: 'webhook.test' });
    expect(() => verified(hook.secret, after)).toThrow();
  });

  it('keeps its secret encrypted, and shows it once', async () => {
    const hook = await hooked();
    const { rows } = await api.database.pool.query('select * from webhook_endpoints where id = $1', [hook.id]);
    const bytes = Buffer.from(hook.secret.slice('whsec_'.length), 'base64');
    expect(rows[0].secret.includes(bytes)).toBe(false);
    expect(JSON.stringify([await list(hook), await deliveries(hook)])).not.toContain(hook.secret);
  });

  it.each([
    'http://example.com/x',
    'ftp://example.com/x',
    'https://user:word@example.com/x',
    'https://10.0.0.1/x',
    'https://100.64.0.1/x',
    'https://169.254.169.254/latest',
    'https://[::ffff:10.0.0.1]/x',
    'https://[64:ff9b::a00:1]/x',
    'javascript:alert(1)',
    'x',
    '',
    5,
    null,
    `https://example.com/${'x'.repeat(1_100)}`,
  ])('is not at %j', async (url) => {
    const developer = await api.member();
    const app = await registerApplication(developer);
    const answer = await developer.browser.post(hooks(app), { url, events: EVENTS });
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_URL']);
    expect(await list({ app, developer })).toEqual([]);
  });

  it.each([[[]], [['lottery']], ['tokens.spent'], [null]])('does not tell of %j', async (events) => {
    const developer = await api.member();
    const app = await registerApplication(developer);
    const answer = await developer.browser.post(hooks(app), { url: 'https://example.com/x', events });
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_EVENT']);
  });

  it('is one of ten at most, also where they are added at once', async () => {
    const developer = await api.member();
    const app = await registerApplication(developer);
    const add = () => developer.browser.post(hooks(app), { url: receiver.address(), events: EVENTS });
    const answers = await Promise.all(Array.from({ length: 15 }, add));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 5 }, () => [409, 'WEBHOOK_LIMIT']),
    );
    expect(await list({ app, developer })).toHaveLength(10);
  });

  it('is its developer’s alone', async () => {
    const hook = await hooked();
    const [other] = [await api.member()];
    const own = await registerApplication(other);
    const paths = [hooks(hook.app), `${hooks(hook.app)}/${hook.id}/deliveries`, `${hooks(own)}/${hook.id}/deliveries`];
    for (const path of paths) {
      expect((await other.browser.get(path)).status).toBe(404);
      expect((await api.browser().get(path)).status).toBe(401);
    }
    for (const app of [hook.app, own]) {
      const path = `${hooks(app)}/${hook.id}`;
      const asked = [
        other.browser.delete(path),
        other.browser.send('PATCH', path, { body: { isOn: false } }),
        ...['test', 'rotate-secret'].map((call) => other.browser.post(`${path}/${call}`)),
        other.browser.post(`${path}/replay`, { from: '2020-01-01' }),
      ];
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }
    expect((await list(hook))[0]).toMatchObject({ id: hook.id, isOn: true });
  });

  it('that redirects, answers without end, or drops the line, has failed, and nothing is followed', async () => {
    const elsewhere = receiver.address();
    const hook = await hooked(EVENTS, (response) => response.writeHead(307, { location: elsewhere }).end());
    await test(hook);
    await eventually(async () => (await deliveries(hook))[0]?.attempts[0]?.status === 307);
    expect(receiver.of(elsewhere)).toEqual([]);
    const endless = await endpointOf(hook.app, EVENTS, (response) => {
      response.writeHead(200);
      const flood = setInterval(() => response.write('x'.repeat(16_384)), 1);
      response.on('close', () => clearInterval(flood));
    });
    await test({ ...hook, ...endless });
    await eventually(async () => (await deliveries({ ...hook, ...endless }))[0]?.status === 'delivered');
    expect((await deliveries({ ...hook, ...endless }))[0].attempts[0].answer).toHaveLength(1_024);
  });

  it('that never answers slows no other, and takes few places', async () => {
    let open = 0;
    let most = 0;
    const dead = await hooked(EVENTS, (response) => {
      open += 1;
      most = Math.max(most, open);
      response.on('close', () => (open -= 1));
    });
    const token = await authorize(api, await rich(), dead.app);
    const good = await endpointOf(dead.app, ['tokens.spent']);
    await Promise.all(Array.from({ length: 40 }, (_, n) => spend(token, n + 1)));
    const started = Date.now();
    await receiver.messages(good.url, 40);
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(most).toBeLessThanOrEqual(PLACES_OF_ENDPOINT.first);
    await dead.developer.browser.delete(`${hooks(dead.app)}/${dead.id}`);
  });

  it('has a log in pages, and sends one delivery again', async () => {
    const hook = await hooked();
    for (let count = 0; count < 3; count++) await test(hook);
    await receiver.messages(hook.url, 3);
    const path = `${hooks(hook.app)}/${hook.id}/deliveries`;
    const { body: first } = await hook.developer.browser.get(`${path}?limit=2`);
    const { body: second } = await hook.developer.browser.get(`${path}?limit=2&cursor=${first.nextCursor}`);
    const sequences = [...first.deliveries, ...second.deliveries].map(({ sequence }) => sequence);
    expect([sequences, second.nextCursor]).toEqual([[3, 2, 1], null]);
    expect((await hook.developer.browser.get(`${path}?cursor=x`)).body.code).toBe('INVALID_CURSOR');
    const { id } = second.deliveries[0];
    expect((await hook.developer.browser.post(`${path}/${id}/redeliver`)).status).toBe(201);
    await receiver.messages(hook.url, 4);
    expect(receiver.of(hook.url).at(-1)?.headers['webhook-id']).toBe(id);
    expect((await replay(hook, 'yesterday')).body.code).toBe('INVALID_DATE');
  });

  it('gets a delivery once more that is asked for again while it is being sent', async () => {
    const held: ServerResponse[] = [];
    const hook = await hooked(EVENTS, (response) => void held.push(response));
    const again = async (): Promise<void> => {
      const [{ id }] = await deliveries(hook);
      const path = `${hooks(hook.app)}/${hook.id}/deliveries/${id}/redeliver`;
      expect((await hook.developer.browser.post(path)).status).toBe(201);
    };
    await test(hook);
    await receiver.messages(hook.url, 1);
    await again();
    held.shift()?.writeHead(204).end();
    await receiver.messages(hook.url, 2);
    expect((await replay(hook, '2020-01-01')).body).toEqual({ count: 1 });
    held.shift()?.writeHead(500).end();
    await receiver.messages(hook.url, 3);
    held.shift()?.writeHead(204).end();
    await eventually(async () => (await deliveries(hook))[0].status === 'delivered');
    const [{ attempts }] = await deliveries(hook);
    expect(attempts.map(({ status }: { status: number }) => status)).toEqual([204, 500, 204]);
    expect(receiver.of(hook.url)).toHaveLength(3);
  });

  it('has its newest deliveries for 30 days; its developer hears of what waited and was dropped', async () => {
    const hook = await hooked(['tokens.spent'], (response) => response.writeHead(500).end());
    const token = await authorize(api, await rich(), hook.app);
    for (const amount of [1, 2, 3]) await spend(token, amount);
    const isTried = ({ attempts }: WebhookDelivery): boolean => attempts.length > 0;
    await eventually(async () => (await deliveries(hook)).filter(isTried).length === 3);
    const { pool } = api.database;
    const make = (sequence: number, age: string) =>
      pool.query(
        `update webhook_deliveries set created_at = now() - $3::interval where endpoint_id = $1 and sequence = $2`,
        [hook.id, sequence, age],
      );
    await make(1, '29 days 23 hours');
    await make(2, '30 days 1 minute');
    await pool.query(
      `update webhook_deliveries set next_at = null, outcome = 'given_up' where endpoint_id = $1 and sequence = 3`,
      [hook.id],
    );
    await make(3, '30 days 1 minute');
    const sweep = () => api.nova.app.get(WebhooksHousekeeping).sweep();
    await sweep();
    expect((await deliveries(hook)).map(({ sequence }: WebhookDelivery) => sequence)).toEqual([1]);
    // The one that had been given up was no news.
    expect((await list(hook))[0]).toMatchObject({ dropped: 1, droppedAt: expect.any(String) });
    // As if the endpoint had been sent 100,000 more.
    await pool.query('update webhook_endpoints set last_sequence = last_sequence + 99998 where id = $1', [hook.id]);
    await sweep();
    expect(await deliveries(hook)).toEqual([]);
    expect((await list(hook))[0]).toMatchObject({ dropped: 2 });
    const { notices } = (await hook.developer.browser.get('/api/notices')).body;
    expect(notices.filter(({ kind }: { kind: string }) => kind === 'webhook_dropped')).toMatchObject([
      {
        text: 'Deliveries to a webhook of Chess Club were dropped before they were sent: they were too old or too many.',
        path: `/developer/apps/${hook.app.clientId}`,
      },
    ]);
  });

  it('of an application that is switched off hears nothing, and goes with the application', async () => {
    const hook = await hooked();
    const path = `/api/oauth/application/${hook.app.clientId}`;
    await hook.developer.browser.send('PATCH', path, { body: { isActive: false } });
    await test(hook);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(receiver.of(hook.url)).toEqual([]);
    await hook.developer.browser.send('PATCH', path, { body: { isActive: true } });
    await receiver.messages(hook.url, 1);
    await hook.developer.browser.delete(path);
    await api.nova.app.get(WebhooksHousekeeping).sweep();
    const { rows } = await api.database.pool.query('select id from webhook_endpoints where id = $1', [hook.id]);
    expect(rows).toEqual([]);
  });
});

describe('the SDK', () => {
  it('adds, changes, tries and deletes endpoints, and reads their deliveries', async () => {
    const developer = await api.member();
    const { clientId, clientSecret } = await registerApplication(developer);
    // In the developer's own name.
    const asDeveloper: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete('authorization');
      headers.set('cookie', developer.browser.cookie);
      return fetch(input, { ...init, headers });
    };
    const { webhooks } = new NovaApplication({ origin: api.url, clientId, clientSecret, fetch: asDeveloper });
    const url = receiver.address();
    const { id, secret } = await webhooks.create({ url, events: ['tokens.spent'] });
    expect(await webhooks.list()).toMatchObject([{ id, url, events: ['tokens.spent'], isOn: true }]);
    for (let n = 0; n < 3; n += 1) await webhooks.test(id);
    await receiver.messages(url, 3);
    const { headers, body } = receiver.of(url).find(({ message }) => message.sequence === 1) ?? fail();
    const { secret: newer } = await webhooks.rotateSecret(id);
    const verifying = new Webhooks({ secrets: [secret, newer] });
    expect(await verifying.verify(body, headers)).toMatchObject({ type: 'webhook.test', sequence: 1 });
    const sent: WebhookDelivery[] = [];
    for await (const delivery of webhooks.deliveries(id, { pageSize: 2 })) sent.push(delivery);
    expect(sent.map(({ sequence }) => sequence)).toEqual([3, 2, 1]);
    await webhooks.redeliver(id, sent[0]?.id ?? '');
    await receiver.messages(url, 4);
    await eventually(async () => (await webhooks.deliveries(id).next()).value.status === 'delivered');
    expect(await webhooks.replay(id, new Date(0))).toBe(3);
    expect(await webhooks.change(id, { isOn: false })).toMatchObject({ isOn: false });
    await expect(webhooks.test(id)).rejects.toMatchObject({ status: 409, code: 'WEBHOOK_OFF' });
    await webhooks.delete(id);
    expect(await webhooks.list()).toEqual([]);
  });
});

describe('`ledger listen`', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nova-listen-'));
  afterAll(() => rmSync(dataDir, { recursive: true }));

  async function listening(app: Pick<TestApplication, 'clientId'>, url: string) {
    const args = ['dist/apps/api/src/finance/cli.js', 'listen', app.clientId, '--forward-to', url];
    const env = { PATH: process.env['PATH'], DATABASE_URL: api.database.url, NOVA_DATA_DIR: dataDir, ...sharedKey };
    const program = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    const ended = once(program, 'close');
    // A program of its own takes its time to start.
    const isListening = async (): Promise<void> => {
      while (!said.includes('whsec_')) await once(program.stdout, 'data');
    };
    await Promise.race([isListening(), ended]);
    return { program, ended, said: () => said, secret: /whsec_\S+/.exec(said)?.[0] ?? '' };
  }

  it('forwards what one application is told to this machine, signed, until Ctrl-C', async () => {
    const developer = await rich();
    const app = await registerApplication(developer);
    let isDown = false;
    const url = receiver.address((response) => response.writeHead(isDown ? 500 : 204).end());
    const { program, ended, said, secret } = await listening(app, url);
    const token = await authorize(api, await rich(), app);
    await spend(token, 5);
    const told = await receiver.messages(url, 3);
    const types = ['balance.changed', 'consent.granted', 'tokens.spent'];
    expect(new Set(told.map(({ type }) => type))).toEqual(new Set(types));
    for (const hook of receiver.of(url)) expect(verified(secret, hook)).toEqual(hook.message);
    await eventually(() => /204 {2}tokens\.spent/.test(said()));
    isDown = true;
    await developer.browser.post(`/api/oauth/application/${app.clientId}/wallet/fund`, { amount: 1 });
    await eventually(() => /500 {2}wallet\.funded/.test(said()));
    program.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(await list({ app, developer })).toEqual([]);
  });

  it('forwards what an application is told in test mode, and nothing of its live data', async () => {
    const developer = await rich();
    const app = await registerApplication(developer);
    await developer.browser.post(`/api/oauth/application/${app.clientId}/test-mode/secret`, {});
    const clientId = `test_${app.clientId}`;
    const url = receiver.address();
    const { program, ended, secret } = await listening({ clientId }, url);
    const fund = (client: string, amount: number) =>
      developer.browser.post(`/api/oauth/application/${client}/wallet/fund`, { amount });
    await fund(app.clientId, 1);
    await fund(clientId, 2);
    await receiver.messages(url, 1);
    const [hook] = receiver.of(url);
    const told = { type: 'wallet.funded', livemode: false, data: { amount: 2 } };
    expect(verified(secret, hook!)).toMatchObject(told);
    program.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(receiver.of(url)).toHaveLength(1);
  });

  it('says what is wrong in a sentence', async () => {
    const unknown = await listening({ clientId: 'nobody' }, receiver.address());
    expect([await unknown.ended, unknown.said()]).toEqual([
      [1, null],
      expect.stringContaining('There is no application with the client id nobody.'),
    ]);
    const elsewhere = await listening({ clientId: 'nobody' }, 'https://example.com/hooks');
    expect([await elsewhere.ended, elsewhere.said()]).toEqual([
      [2, null],
      expect.stringContaining('listen needs --forward-to, an address on this machine'),
    ]);
  });
});

describe('on an installation that others reach', () => {
  let there: TestApi;
  beforeAll(async () => {
    there = await startTestApi({ environment: { PUBLIC_URL: 'https://nova.example' } });
  });
  afterAll(() => there?.close());

  it('an endpoint is not on this machine, by whatever name', async () => {
    const developer = await there.member();
    const app = await registerApplication(developer);
    for (const url of [receiver.address(), 'https://127.0.0.1/x', 'https://[::1]/x']) {
      const answer = await developer.browser.post(hooks(app), { url, events: EVENTS });
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_URL']);
    }
    const url = receiver.address().replace('http://127.0.0.1', 'https://localhost');
    const { body } = await developer.browser.post(hooks(app), { url, events: EVENTS });
    await developer.browser.post(`${hooks(app)}/${body.id}/test`);
    const path = `${hooks(app)}/${body.id}/deliveries`;
    const seen = await eventually(
      async () => (await developer.browser.get(path)).body.deliveries,
      ([delivery]) => delivery.attempts.length > 0,
    );
    expect(seen[0].attempts[0]).toMatchObject({ error: 'The address is not public.' });
    expect(receiver.of(url.replace('https://localhost', 'http://127.0.0.1'))).toEqual([]);
  });

  it('a developer’s loop of tests and replays is stopped', async () => {
    const developer = await there.member();
    const app = await registerApplication(developer);
    const url = 'https://nova.example/hooks';
    const { body } = await developer.browser.post(hooks(app), { url, events: EVENTS });
    const endpoint = `${hooks(app)}/${body.id}`;
    await developer.browser.send('PATCH', endpoint, { body: { isOn: false } });
    const repeated = async (count: number, path: string, sent?: object) => {
      for (let n = 0; n < count; n += 1) expect((await developer.browser.post(path, sent)).status).not.toBe(429);
      return developer.browser.post(path, sent);
    };
    const refused = { status: 429, body: { code: 'TOO_MANY_REQUESTS' } };
    const replayed = await repeated(10, `${endpoint}/replay`, { from: '2020-01-01' });
    expect(replayed).toMatchObject(refused);
    expect(replayed.body.message).toBe('You have replayed webhooks very often. Please wait some minutes.');
    expect(await repeated(60, `${endpoint}/test`)).toMatchObject(refused);
    const one = `${endpoint}/deliveries/${randomUUID()}/redeliver`;
    expect(await developer.browser.post(one)).toMatchObject(refused);
  });
});
