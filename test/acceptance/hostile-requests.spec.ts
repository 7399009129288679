import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestMethod } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { ACCESS } from '../../apps/api/src/platform/auth/access.js';
import { type Config, CONFIG } from '../../apps/api/src/platform/config.js';
import { IdentityChanges } from '../../apps/api/src/identity/identity-changes.js';
import { RateLimits } from '../../apps/api/src/platform/rate-limit/rate-limits.js';
import { VisitorTurnsGuard } from '../../apps/api/src/platform/rate-limit/turns.js';
import { GOOD_PASSWORD } from '../support/secrets.js';
import { getMetadataStorage } from 'class-validator';
import { registrationBody, startTestApi, type TestApi, type TestAnswer, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { stopWindows } from '../support/limits.js';
import { authorizationRequest, registerApplication, type TestApplication } from '../support/oauth.js';

/** The largest refusal, whatever was sent. */
const REFUSAL_BYTES_MAX = 4_096;
const FAULTS_MAX = 10;

const wide = (keys: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index.toString(36)}`, 1]));
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const bytesOf = ({ body }: TestAnswer): number =>
  Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body));

/**
 * Requests by which strangers and members try to make the server work, measured in work done and bytes sent instead of
 * time.
 */
describe('requests that want to be dear', () => {
  let api: TestApi;
  let member: TestMember;
  /** How often class-validator began to validate an object. */
  let validations = 0;
  const storage = getMetadataStorage();
  const look = storage.getTargetValidationMetadatas.bind(storage);
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '100' } });
    member = await api.member();
    storage.getTargetValidationMetadatas = (...given) => {
      validations += 1;
      return look(...given);
    };
  });
  afterAll(async () => {
    storage.getTargetValidationMetadatas = look;
    await api?.close();
  });
  beforeEach(() => (validations = 0));

  const signIn = { email: 'nobody@example.com', password: 'a long password', tcConsent: true, tcVersion: '1.0' };

  it.each([
    ['one object of 90,000 keys', wide(90_000), 413, 'BODY_TOO_LARGE'],
    ['one object of 20,000 keys', wide(20_000), 413, 'BODY_TOO_LARGE'],
    ['as many keys as 16 kB hold', wide(1_500), 400, 'TOO_MANY_FIELDS'],
    ['an object of many keys in a field', { ...signIn, initiatorProfileData: wide(1_400) }, 400, 'TOO_MANY_FIELDS'],
    ['a list of many items', { ...signIn, email: Array.from({ length: 5_000 }, () => 1) }, 400, 'LIST_TOO_LONG'],
    [
      'lists of lists that are each short enough',
      { ...signIn, email: Array.from({ length: 90 }, () => Array.from({ length: 60 }, () => 1)) },
      400,
      'BODY_TOO_COMPLEX',
    ],
    ['JSON nested two thousand deep', deep(2_000), 400, 'INVALID_JSON'],
    ['a body of 17 kB', { ...signIn, email: 'x'.repeat(17_000) }, 413, 'BODY_TOO_LARGE'],
  ])('%s is refused before anybody validates it', async (_, body, status, code) => {
    for (const target of ['/api/auth/signin', '/api/auth/register', '/api/auth/recover', '/api/devices/by-email']) {
      const answer = await api.browser().post(target, body);
      expect([target, answer.status, answer.body.code]).toEqual([target, status, code]);
      expect(bytesOf(answer)).toBeLessThan(REFUSAL_BYTES_MAX);
    }
    expect(validations).toBe(0);
  });

  it.each([
    ['POST', '/api/resonance', 'currentTraits'],
    ['POST', '/api/chats/initiate', 'initiatorProfileData'],
  ])('%s %s takes no wide object for its field %s', async (method, target, field) => {
    const answer = await member.browser.send(method, target, { body: { [field]: wide(1_400) } });
    expect([answer.status, answer.body.code]).toEqual([400, 'TOO_MANY_FIELDS']);
    expect(validations).toBe(0);
  });

  it('lists ten faults at most, in less than 4 kB, and echoes nothing long', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `${index}${'\u0001"😀'.repeat(30)}`);
    const answer = await api.browser().post('/api/auth/signin', Object.fromEntries(names.map((name) => [name, 1])));
    expect(answer).toMatchObject({ status: 400, body: { code: expect.any(String), requestId: expect.any(String) } });
    expect(Object.values(answer.body.fields).flat().length).toBeLessThanOrEqual(FAULTS_MAX);
    expect(bytesOf(answer)).toBeLessThan(REFUSAL_BYTES_MAX);
  });

  it('reads a hundred parameters of a query and no more', async () => {
    const answer = await member.browser.get(`/api/discovery/feed?${'a&'.repeat(5_000)}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'TOO_MANY_PARAMETERS']);
    expect(validations).toBe(0);
    const form = await api.browser().send('POST', '/sandbox/v1/payment_intents', {
      body: 'a&'.repeat(5_000),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([form.status, form.body.code]).toEqual([400, 'TOO_MANY_PARAMETERS']);
  });

  it('leaves what members do write alone', async () => {
    const body = registrationBody({ displayName: '😀'.repeat(25) });
    expect((await api.browser().post('/api/auth/register', body)).status).toBe(201);
  });
});

/** Writing calls of visitors that do not wait for a turn, and why. */
const TAKE_NO_TURN: Readonly<Record<string, string>> = {
  'AuthController.signOut': 'proves nobody: one statement, or none',
  'ObjectsController.receive': 'a file that a signed address lets in',
  'ObjectsController.receivePoster': 'the same of its picture',
  'OwnNameController.earnInBulk': 'an application with its secret, with limits of its own',
  'StripeWebhookController.receive': 'signed by the payment provider, who calls as often as it must',
  'TestConsentController.decide': 'a made-up member: it needs an authorization request, of which a network has few',
  'TokensController.earn': 'an access token, with limits of its own',
  'TokensController.spend': 'an access token, with limits of its own',
  'TokensController.transfer': 'an access token, with limits of its own',
};

describe('a crowd of one network', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '100', TRUST_PROXY: 'loopback' } });
  });
  afterAll(() => api?.close());

  const signIn = { password: GOOD_PASSWORD, tcConsent: true, tcVersion: '1.0' };
  const attempts = [
    ['sign-ins of made-up members', '/api/auth/signin', (n: number) => ({ ...signIn, email: `none-${n}@example.com` })],
    [
      'recoveries of made-up members',
      '/api/auth/recover',
      (n: number) => ({ email: `none-${n}@example.com`, pin: '739154', newPassword: `${GOOD_PASSWORD} anew` }),
    ],
  ] as const;

  it.each(attempts)('delays another network by a few of its calls: %s', async (_, target, body) => {
    const member = await api.member();
    let answered = 0;
    const crowd = Array.from({ length: 51 }, async (__, n) => {
      const { status } = await api.browser().post(target, body(n), { 'x-forwarded-for': '198.51.100.7' });
      answered += 1;
      return status;
    });
    const credentials = { ...signIn, email: member.email };
    const own = await api.browser().post('/api/auth/signin', credentials, { 'x-forwarded-for': '192.0.2.1' });
    expect([own.status, answered < 20]).toEqual([200, true]);
    expect(new Set(await Promise.all(crowd)).size).toBe(1);
  });

  it('of which too many wait is told to come back', async () => {
    const crowd = Array.from({ length: 80 }, (_, n) =>
      api.browser().post('/api/auth/signin', attempts[0][2](n), { 'x-forwarded-for': '198.51.100.8' }),
    );
    const refused = (await Promise.all(crowd)).filter(({ status }) => status !== 401);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, body, headers } of refused) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'TOO_MANY_REQUESTS', '1']);
    }
  });

  const raw = (n: number, network: string, headers = ''): string => {
    const body = JSON.stringify({ ...signIn, email: `nobody-${n}@example.com` });
    return (
      `POST /api/auth/signin HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${network}\r\n${headers}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };
  const networks = ['198.51.100.21', '198.51.100.22', '198.51.100.23'];
  const signsIn = async (): Promise<number> => {
    const member = await api.member();
    const credentials = { ...signIn, email: member.email };
    return (await api.browser().post('/api/auth/signin', credentials, { 'x-forwarded-for': '192.0.2.2' })).status;
  };

  it('keeps no turn by connections that are not read, offer another protocol, or stay open', async () => {
    const sockets = networks.flatMap((network) =>
      Array.from({ length: 4 }, () => {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined);
        socket.pause();
        socket.write(
          `POST /api/auth/signin HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${network}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
        );
        return socket;
      }),
    );
    expect(await signsIn()).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('keeps no turn by requests whose connection is gone before their answer', async () => {
    for (const network of networks) {
      for (let round = 0; round < 3; round++) {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(Array.from({ length: 4 }, (_, n) => raw(n, network)).join(''));
        await sleep(15);
        socket.resetAndDestroy();
      }
    }
    expect(await signsIn()).toBe(200);
    await eventually(
      () => Promise.resolve(api.nova.app.get(RateLimits).visitorTurns),
      (turns) => Reflect.get(turns, 'working') === 0,
    );
  });

  it('ends nothing by another protocol behind a request that is not answered yet', async () => {
    for (const upgrade of ['h2c', 'websocket']) {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined);
      socket.end(
        `GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`,
      );
      socket.resume();
      await once(socket, 'close');
    }
    expect((await api.browser().get('/health/live')).status).toBe(200);
  });

  it('takes turns wherever a visitor writes, unless it is named', () => {
    const reads = new Set<unknown>([RequestMethod.GET, RequestMethod.HEAD]);
    const controllers = [...api.nova.app.get(ModulesContainer).values()].flatMap((module) =>
      [...module.controllers.values()].map(({ metatype }) => metatype),
    );
    const open = controllers.flatMap((controller) => {
      if (typeof controller !== 'function') return [];
      const handlers: Record<string, unknown> = controller.prototype;
      return Object.getOwnPropertyNames(handlers)
        .map((name) => ({ name, handler: handlers[name] }))
        .filter(({ handler }) => typeof handler === 'function' && Reflect.hasMetadata(METHOD_METADATA, handler))
        .filter(({ handler }) => {
          const has = (key: string): unknown[] =>
            [handler, controller].flatMap((on) => Reflect.getMetadata(key, on as object) ?? []);
          return (
            has(ACCESS)[0] === 'public' &&
            !reads.has(has(METHOD_METADATA)[0]) &&
            !has(GUARDS_METADATA).includes(VisitorTurnsGuard)
          );
        })
        .map(({ name }) => `${controller.name}.${name}`);
    });
    expect([...new Set(open)].toSorted()).toEqual(Object.keys(TAKE_NO_TURN).toSorted());
  });
});

/** A factor below one keeps the numbers of this test small: 60 calls a minute, 3 authorizations in ten. */
describe('what a stranger may ask for', () => {
  let api: TestApi;
  let member: TestMember;
  let application: TestApplication;
  const lines: string[] = [];
  beforeAll(async () => {
    api = await startTestApi({
      environment: {
        RATE_LIMIT_FACTOR: '0.05',
        TRUST_PROXY: 'loopback',
        SECURITY_CONTACT: 'mailto:security@nova.example',
        LOG_LEVEL: 'info',
      },
      logTo: { write: (line) => void lines.push(line) },
    });
    member = await api.member();
    application = await registerApplication(member);
  });
  afterAll(() => api?.close());

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const waiting = async (): Promise<{ count: number; bytes: number; seconds: number }> => {
    const { rows } = await api.database.pool.query(
      `select count(*)::int as count, coalesce(sum(length(payload::text)), 0)::int as bytes,
         coalesce(max(extract(epoch from expires_at - now())), 0)::float as seconds
       from oauth_payloads where model = 'Interaction'`,
    );
    return rows[0];
  };

  it('counts what is refused, by network, and neither members nor other networks', async () => {
    stopWindows(api, 'visitorCalls');
    const statuses: number[] = [];
    for (let call = 0; call < 70; call++) {
      const address = `2001:db8:7:7::${call.toString(16)}`;
      statuses.push((await api.browser().post('/api/auth/register', { odd: true }, from(address))).status);
    }
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 400));
    expect(statuses.slice(60)).toEqual(Array.from({ length: 10 }, () => 429));
    const here = from('2001:db8:7:7::1');
    const refused = await api.browser().get('/api/auth/user', here);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await member.browser.get('/api/auth/user', here)).status).toBe(200);
    expect((await api.browser().get('/api/auth/user', from('2001:db8:7:8::1'))).status).toBe(401);
  });

  it('counts cookies that are wrong, whatever is asked with them, and no member whose session is known', async () => {
    stopWindows(api, 'visitorCalls');
    const here = from('2001:db8:7:9::1');
    const madeUp = () => ({ ...here, cookie: `nova_session=${randomBytes(32).toString('base64url')}` });
    const told: unknown[] = [];
    api.nova.app.get(IdentityChanges).onChange((change) => void told.push(change));
    expect((await member.browser.get('/api/auth/user', here)).status).toBe(200);
    for (let call = 0; call < 20; call++) {
      expect((await api.browser().get('/api/auth/user', madeUp())).status).toBe(401);
      expect((await api.browser().post('/api/auth/signout', {}, madeUp())).status).toBe(200);
      expect((await api.browser().get('/api/openapi.json', madeUp())).status).toBe(200);
    }
    expect(told).toEqual([]);
    for (const call of ['/api/auth/user', '/api/openapi.json', '/metrics', '/objects/uploads/none']) {
      expect([call, (await api.browser().get(call, madeUp())).status]).toEqual([call, 429]);
    }
    expect((await member.browser.get('/api/auth/user', here)).status).toBe(200);
  });

  it('counts no call of the payment stand-in with its own key, and each with another', async () => {
    stopWindows(api, 'visitorCalls');
    const { sandboxApiKey } = api.nova.app.get<Config>(CONFIG).secrets;
    const ask = (key: string) =>
      api.browser().get('/sandbox/stripe/v1/refunds?payment_intent=pi_none', {
        ...from('192.0.2.11'),
        authorization: `Bearer ${key}`,
      });
    for (let call = 0; call < 70; call++) expect((await ask(sandboxApiKey)).status).toBe(200);
    for (let call = 0; call < 60; call++) expect((await ask('sk_test_guess')).status).toBe(401);
    expect((await ask('sk_test_guess')).status).toBe(429);
  });

  it('counts files that are not there', async () => {
    stopWindows(api, 'visitorCalls');
    const ask = () => api.browser().get(`/objects/uploads/${randomUUID()}`, from('192.0.2.8'));
    for (let call = 0; call < 60; call++) expect((await ask()).status).toBe(404);
    expect((await ask()).status).toBe(429);
  });

  it('has the description of the API written once, and in one form', async () => {
    stopWindows(api, 'visitorCalls');
    const written = jest.spyOn(JSON, 'stringify');
    const first = await api.browser().get('/api/openapi.json', from('192.0.2.10'));
    expect(written.mock.calls.filter(([value]) => (value as { openapi?: unknown } | null)?.openapi)).toEqual([]);
    written.mockRestore();
    const again = { ...from('192.0.2.10'), 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await api.browser().get('/api/openapi.json', again)).status).toBe(304);
    expect((await api.browser().get('/api/docs-yaml', from('192.0.2.10'))).status).toBe(404);
    const page = await api.browser().get('/api/docs/swagger-ui-init.js', from('192.0.2.10'));
    expect((page.body as string).length).toBeLessThan(5_000);
    expect(page.body).toContain('/api/openapi.json');
  });

  it('counts tokens that are wrong', async () => {
    stopWindows(api, 'visitorCalls');
    const guess = () =>
      api.browser().get('/api/oauth/token-balances', { ...from('192.0.2.9'), authorization: 'Bearer a-guess' });
    for (let call = 0; call < 60; call++) expect((await guess()).status).toBe(401);
    const refused = await guess();
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([429, '*']);
  });

  it('leaves a row for each authorization, a small one for minutes, and no more than a few from a network', async () => {
    stopWindows(api, 'visitorAuthorizations');
    const ask = (state: string, address: string) =>
      api.browser().get(`/oauth/authorize?${authorizationRequest(application, { state }).toString()}`, from(address));
    const before = await waiting();
    for (const state of ['x'.repeat(2_049), 'é'.repeat(1_025), 'x'.repeat(6_000)]) {
      const faulty = await ask(state, '192.0.2.20');
      expect([faulty.status, faulty.headers.get('location')]).toEqual([400, null]);
      expect(faulty.headers.get('content-type')).toContain('text/html');
    }
    expect(await waiting()).toEqual(before);
    for (let call = 0; call < 3; call++) expect((await ask('x'.repeat(2_048), '192.0.2.21')).status).toBe(303);
    expect((await ask('short', '192.0.2.21')).status).toBe(429);
    const after = await waiting();
    expect(after.count).toBe(before.count + 3);
    expect(after.bytes - before.bytes).toBeLessThan(3 * 4_096);
    expect(after.seconds).toBeLessThanOrEqual(15 * 60);
    // Members do not count as strangers.
    for (let call = 0; call < 4; call++) {
      const request = authorizationRequest(application, { state: 'short' });
      const answer = await member.browser.get(`/oauth/authorize?${request.toString()}`, from('192.0.2.21'));
      expect(answer.status).toBe(303);
    }
  });

  it.each([
    ['a response type that is off', { response_type: 'token' }],
    ['PKCE of another kind', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }],
  ])('never redirects a visitor for a faulty request: %s', async (_, fault) => {
    const target = `/oauth/authorize?${authorizationRequest(application, fault).toString()}`;
    const visitor = await api.browser().get(target, from('192.0.2.30'));
    expect([visitor.status >= 400, visitor.headers.get('location')]).toEqual([true, null]);
    expect(visitor.headers.get('content-type')).toContain('text/html');
    expect((await member.browser.get(target)).headers.get('location')).toContain(application.redirectUri);
  });

  it('tells an application that asks without a screen that nobody is signed in', async () => {
    const request = authorizationRequest(application, { prompt: 'none' });
    const answer = await api.browser().get(`/oauth/authorize?${request.toString()}`, from('192.0.2.31'));
    expect(answer.headers.get('location')).toContain('error=login_required');
  });

  it('keeps the newest authorizations of visitors, ten thousand at most', async () => {
    await api.database.pool.query(
      `insert into oauth_payloads (model, id, payload, expires_at)
       select 'Interaction', 'old-' || n, '{}', now() + interval '1 minute' + n * interval '1 ms' from generate_series(1, 10100) n`,
    );
    stopWindows(api, 'visitorAuthorizations');
    const request = authorizationRequest(application).toString();
    expect((await api.browser().get(`/oauth/authorize?${request}`, from('192.0.2.40'))).status).toBe(303);
    const { rows } = await api.database.pool.query(
      `select count(*)::int as count, bool_or(id = 'old-1') as oldest from oauth_payloads
       where model = 'Interaction' and not payload ? 'session'`,
    );
    expect(rows[0]).toEqual({ count: 10_000, oldest: false });
  });

  it('logs no more of an address than tells what was asked for', async () => {
    await api.browser().get(`/${'x'.repeat(10_000)}`);
    const line = await eventually(
      () => Promise.resolve(lines.find((each) => each.includes('xxxxxxxxxx'))),
      (found) => found !== undefined,
    );
    expect(line?.length).toBeLessThan(1_000);
  });

  it('learns whom to tell of a weakness', async () => {
    const { status, headers, body } = await api.browser().get('/.well-known/security.txt');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body).toMatch(/^Contact: mailto:security@nova\.example\r\nExpires: \d{4}-\d\d-\d\dT00:00:00\.000Z\r\n/);
    const expires = Date.parse(/Expires: (\S+)/.exec(body)?.[1] ?? '');
    expect(expires).toBeGreaterThan(Date.now() + 30 * 86_400_000);
    expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
  });
});
