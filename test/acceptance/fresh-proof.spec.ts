import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { startTestApi, type TestApi, type TestBrowser, type TestMember } from '../support/api.js';
import { addPasskey, proveAgain, SoftwareAuthenticator } from '../support/authenticator.js';
import { signInAdmin } from '../support/money.js';
import { authorizationRequest, authorize, decide, location, registerApplication } from '../support/oauth.js';

const LOCAL = 'http://localhost:3000';
const PUBLIC = 'https://nova.example';
const READS = ['get', 'head'];

interface Call {
  readonly method: string;
  readonly path: string;
}

/** Writing calls of admins that ask for no fresh proof, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  'POST /api/admin/bulk-grants/check': 'writes nothing: says what a file of grants would do',
};

async function callsOfAdmins(api: TestApi): Promise<Call[]> {
  const { paths } = (await api.browser().get('/api/openapi.json')).body as { paths: Record<string, object> };
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/admin/'))
    .flatMap(([path, item]) => Object.keys(item).map((method) => ({ method: method.toUpperCase(), path })));
}

const isWriting = ({ method }: Call): boolean => !READS.includes(method.toLowerCase());
const send = (browser: TestBrowser, { method, path }: Call) =>
  browser.send(
    method,
    path.replaceAll(/\{\w+\}/g, () => randomUUID()),
  );
const refusalOf = async (browser: TestBrowser, call: Call): Promise<string> => {
  const { status, body } = await send(browser, call);
  return status === 403 ? body.code : 'passed';
};

/** Deletes the proofs of all sessions. */
const forgetProofs = (api: TestApi) => api.nova.app.get(DataSource).query('delete from fresh_proofs');

describe('a fresh proof of an admin with a passkey', () => {
  let api: TestApi;
  let admin: TestMember;
  const device = new SoftwareAuthenticator(LOCAL);

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  it('is asked for before every writing call, unless it is named', async () => {
    const writing = (await callsOfAdmins(api)).filter(isWriting);
    expect(writing.length).toBeGreaterThan(12);
    for (const call of writing) expect([call, await refusalOf(admin.browser, call)]).toEqual([call, 'passed']);
    expect((await addPasskey(admin, device)).status).toBe(201);
    await forgetProofs(api);
    const open: string[] = [];
    for (const call of writing) {
      if ((await refusalOf(admin.browser, call)) !== 'FRESH_PROOF_NEEDED') open.push(`${call.method} ${call.path}`);
    }
    expect(open).toEqual(Object.keys(EXEMPT));
    expect((await proveAgain(admin.browser, device)).status).toBe(200);
    for (const call of writing) expect([call, await refusalOf(admin.browser, call)]).toEqual([call, 'passed']);
  });

  it('is not asked for where nothing is written', async () => {
    await forgetProofs(api);
    for (const call of (await callsOfAdmins(api)).filter((each) => !isWriting(each))) {
      expect([call, await refusalOf(admin.browser, call)]).toEqual([call, 'passed']);
    }
  });

  it('lets money move only afterwards', async () => {
    const member = await api.member();
    const grant = () => admin.browser.post(`/api/admin/users/${member.id}/add-nova`, { amount: 100 });
    await forgetProofs(api);
    expect(await grant()).toMatchObject({ status: 403, body: { code: 'FRESH_PROOF_NEEDED' } });
    expect((await member.browser.get('/api/nova/balance')).body.novaBalance).toBe(0);
    await proveAgain(admin.browser, device);
    expect((await grant()).status).toBe(201);
    expect((await member.browser.get('/api/nova/balance')).body.novaBalance).toBe(100);
  });
});

describe('a fresh proof of a member with a passkey', () => {
  let api: TestApi;
  let member: TestMember;
  const device = new SoftwareAuthenticator(LOCAL);
  const needed = { status: 403, body: { code: 'FRESH_PROOF_NEEDED' } };

  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '1000' } });
    member = await api.member();
    await addPasskey(member, device);
  });
  afterAll(() => api?.close());
  beforeEach(() => forgetProofs(api));

  it('is asked for before a client secret is made', async () => {
    const redirectUris = ['https://app.example.com/callback'];
    const application = { name: 'Nova Pocket', redirectUris, scopes: ['openid'] };
    expect(await member.browser.post('/api/oauth/register-app', application)).toMatchObject(needed);
    await proveAgain(member.browser, device);
    const { clientId } = (await member.browser.post('/api/oauth/register-app', application)).body;
    await forgetProofs(api);
    expect(await member.browser.post('/api/oauth/regenerate-secret', { clientId })).toMatchObject(needed);
    await proveAgain(member.browser, device);
    expect((await member.browser.post('/api/oauth/regenerate-secret', { clientId })).status).toBe(200);
  });

  it('is asked for before codes are sent elsewhere, and not where the addresses stay', async () => {
    await proveAgain(member.browser, device);
    const { clientId, redirectUri } = await registerApplication(member);
    await forgetProofs(api);
    const change = (body: object) => member.browser.send('PATCH', `/api/oauth/application/${clientId}`, { body });
    expect((await change({ name: 'Nova Pocket', redirectUris: [redirectUri] })).status).toBe(200);
    const elsewhere = { redirectUris: ['https://elsewhere.example/callback'] };
    expect(await change(elsewhere)).toMatchObject(needed);
    await proveAgain(member.browser, device);
    expect((await change(elsewhere)).status).toBe(200);
  });

  it('is asked for before an application may spend above the default limit, when it is given and when it is raised', async () => {
    const application = await registerApplication(await api.member());
    const request = authorizationRequest(application, { scope: 'openid nova' });
    const screen = location(await authorize(member.browser, request));
    expect(await decide(member.browser, screen, { dailyLimit: 5_001 })).toMatchObject(needed);
    expect((await decide(member.browser, screen, { dailyLimit: 5_000 })).status).toBe(200);
    const path = `/api/oauth/consents/${application.clientId}`;
    const change = (dailyLimit: number) => member.browser.send('PATCH', path, { body: { dailyLimit } });
    expect((await change(4_000)).status).toBe(200);
    expect(await change(5_000.01)).toMatchObject(needed);
    await proveAgain(member.browser, device);
    expect((await change(6_000)).status).toBe(200);

    // A new consent keeps the current limit.
    await forgetProofs(api);
    const again = authorizationRequest(application, { scope: 'openid nova', prompt: 'consent' });
    const asked = location(await authorize(member.browser, again));
    expect(await decide(member.browser, asked)).toMatchObject(needed);
    await proveAgain(member.browser, device);
    expect((await decide(member.browser, asked)).status).toBe(200);
  });

  it('is not asked for by a refusal, nor of a consent that spends nothing', async () => {
    const application = await registerApplication(await api.member());
    const request = authorizationRequest(application, { scope: 'openid profile' });
    const screen = location(await authorize(member.browser, request));
    expect((await decide(member.browser, screen, { dailyLimit: 900_000 })).status).toBe(200);
    const spending = authorizationRequest(application, { scope: 'openid nova' });
    const other = location(await authorize(member.browser, spending));
    expect((await decide(member.browser, other, { approved: false, dailyLimit: 900_000 })).status).toBe(200);
  });
});

describe('the passkey that admins need at a public address', () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const warnings = () => warned.mock.calls.map(([line]) => String(line)).filter((line) => /passkey/i.test(line));
  beforeEach(() => warned.mockClear());
  afterAll(() => warned.mockRestore());

  it('is demanded before anything of theirs answers, and of nobody else', async () => {
    const { api, admin } = await signInAdmin(startTestApi, { environment: { PUBLIC_URL: PUBLIC } });
    try {
      const calls = await callsOfAdmins(api);
      expect(calls.length).toBeGreaterThan(30);
      for (const call of calls) {
        expect([call, await refusalOf(admin.browser, call)]).toEqual([call, 'PASSKEY_REQUIRED']);
      }
      expect((await admin.browser.get('/api/auth/user')).body.user).toMatchObject({ needsPasskey: true });
      const member = await api.member();
      expect((await member.browser.get('/api/auth/user')).body.user).not.toHaveProperty('needsPasskey');
      expect((await member.browser.get('/api/nova/balance')).status).toBe(200);
      expect((await admin.browser.get('/api/nova/balance')).status).toBe(200);

      expect((await addPasskey(admin, new SoftwareAuthenticator(PUBLIC))).status).toBe(201);
      expect((await admin.browser.get('/api/admin/stats')).status).toBe(200);
      expect((await admin.browser.get('/api/auth/user')).body.user).not.toHaveProperty('needsPasskey');
      expect(warnings()).toEqual([]);
    } finally {
      await api.close();
    }
  });

  it('is not demanded where a setting says so, which each start warns of', async () => {
    const environment = { PUBLIC_URL: PUBLIC, ADMIN_PASSKEYS: 'false' };
    const { api, admin } = await signInAdmin(startTestApi, { environment });
    try {
      expect((await admin.browser.get('/api/admin/stats')).status).toBe(200);
      expect(warnings()).toEqual([expect.stringContaining('ADMIN_PASSKEYS is false')]);
    } finally {
      await api.close();
    }
  });
});
