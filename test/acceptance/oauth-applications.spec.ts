import { AccessTokens } from '../../apps/api/src/oauth/access-tokens.js';
import { Applications } from '../../apps/api/src/oauth/applications.js';
import { OAuthHousekeeping } from '../../apps/api/src/oauth/oauth-housekeeping.js';
import { LEDGER } from '../../apps/api/src/platform/ledger/injected-ledger.js';
import type { Ledger } from '@app/ledger';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import {
  anotherBrowser,
  authorizationRequest,
  authorize,
  bearer,
  claimsOf,
  credentials,
  decide,
  exchange,
  giveConsent,
  location,
  registerApplication,
  sendForm,
  tokensFor,
} from '../support/oauth.js';
import { whileFirstStands, whileTableStands } from '../support/standing-table.js';

/** How an answer reaches the application: the way, the address and the parameters. */
function answeredBy({ headers, body }: TestAnswer): [mode: string, to: string, said: Record<string, string>] {
  const target = headers.get('location');
  if (target === null) {
    const fields = [...String(body).matchAll(/name="([^"]*)" value="([^"]*)"/g)];
    const action = /<form method="post" action="([^"]*)"/.exec(body)?.[1] ?? '';
    return ['form_post', action, Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))];
  }
  const [, to = '', mark, said] = /^([^?#]*)([?#])(.*)$/.exec(target) ?? [];
  return [mark === '#' ? 'fragment' : 'query', to, Object.fromEntries(new URLSearchParams(said))];
}

const valid = { name: 'Nova Pocket', redirectUris: ['https://app.example.com/callback'] };

describe('applications and consents', () => {
  let api: TestApi;
  let developer: TestMember;
  let member: TestMember;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '100' } });
    developer = await api.member();
    member = await api.member();
  });
  afterAll(() => api?.close());

  const part = <T>(type: new (...parts: never[]) => T): T => api.nova.app.get(type, { strict: false });
  const register = (body: unknown, by = developer) => by.browser.post('/api/oauth/register-app', body);
  const change = (clientId: string, body: unknown, by = developer) =>
    by.browser.send('PATCH', `/api/oauth/application/${clientId}`, { body });
  const isActive = async (token: string) =>
    (await api.browser().get('/oauth/userinfo', bearer(token))).status === 200 &&
    (await part(AccessTokens).find(token)) !== undefined;
  const fund = async (clientId: string, amount: bigint) => {
    const ledger = api.nova.app.get<Ledger>(LEDGER, { strict: false });
    const actor = 'process';
    const userId = developer.id;
    await ledger.execute({ command: { type: 'GrantNova', userId, adminId: userId, amount }, actor });
    return ledger.execute({ command: { type: 'FundAppWallet', clientId, ownerId: userId, amount }, actor });
  };

  describe('registering', () => {
    it('answers the application with its secret, once', async () => {
      const answer = await register({
        ...valid,
        description: ' Pays at the till ',
        logoUrl: '',
        applicationUrl: 'https://app.example.com',
        redirectUris: ['https://app.example.com/callback', '', ' http://localhost:4000/cb '],
      });
      const { application, clientId, clientSecret } = answer.body;
      expect(answer.status).toBe(201);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(clientSecret).toMatch(/^nova_secret_[\w-]{43}$/);
      expect(application).toEqual({
        id: clientId,
        clientId,
        name: 'Nova Pocket',
        description: 'Pays at the till',
        logoUrl: null,
        applicationUrl: 'https://app.example.com',
        redirectUris: ['https://app.example.com/callback', 'http://localhost:4000/cb'],
        scopes: ['openid', 'profile', 'email', 'nova'],
        isActive: true,
        isPublic: false,
        requirePkce: false,
        deviceFlow: false,
        createdAt: expect.any(String),
      });
      const mine = await developer.browser.get('/api/oauth/my-applications');
      expect(mine.body[0]).toEqual(application);
      expect(JSON.stringify(mine.body)).not.toContain(clientSecret);
      const { rows } = await api.database.pool.query(
        'select secret_hash from oauth_applications where client_id = $1',
        [clientId],
      );
      expect(rows[0].secret_hash).not.toContain(clientSecret);
    });

    it('gives a public application no secret, and openid to everyone', async () => {
      const { body } = await register({ ...valid, isPublic: true, scopes: ['karma'] });
      expect(body).toMatchObject({ clientSecret: null, application: { isPublic: true, scopes: ['openid', 'karma'] } });
      const again = await developer.browser.post('/api/oauth/regenerate-secret', { clientId: body.clientId });
      expect(again).toMatchObject({ status: 409, body: { code: 'PUBLIC_CLIENT' } });
    });

    it.each([
      ['no name', { name: '  ' }, 'REQUIRED'],
      ['a long name', { name: 'x'.repeat(101) }, 'INVALID_NAME'],
      ['a name with NUL', { name: 'a\u0000b' }, 'INVALID_NAME'],
      ['a name that turns the text', { name: 'ba\u202enk' }, 'INVALID_NAME'],
      ['a long description', { description: 'x'.repeat(501) }, 'INVALID_DESCRIPTION'],
      ['a script for a logo', { logoUrl: 'javascript:alert(1)' }, 'INVALID_URL'],
      ['a script for an address', { applicationUrl: 'data:text/html,x' }, 'INVALID_URL'],
      ['no redirect URI', { redirectUris: ['', ' '] }, 'REQUIRED'],
      ['redirect URIs that are no list', { redirectUris: 'https://app.example.com' }, 'INVALID_REDIRECT_URI'],
      ['a script to redirect to', { redirectUris: ['javascript:alert(1)'] }, 'INVALID_REDIRECT_URI'],
      ['a fragment to redirect to', { redirectUris: ['https://app.example.com/#x'] }, 'INVALID_REDIRECT_URI'],
      ['an open http address', { redirectUris: ['http://app.example.com/cb'] }, 'INVALID_REDIRECT_URI'],
      ['numbers to redirect to', { redirectUris: [1] }, 'INVALID_REDIRECT_URI'],
      [
        'too many',
        { redirectUris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) },
        'INVALID_REDIRECT_URI',
      ],
      ['a scope that there is not', { scopes: ['openid', 'admin'] }, 'INVALID_SCOPE'],
      ['an owner', { ownerId: 'somebody' }, 'UNKNOWN_FIELD'],
    ])('refuses %s', async (_what, spoilt, code) => {
      expect(await register({ ...valid, ...spoilt })).toMatchObject({ status: 400, body: { code } });
    });

    it('stops at 25, however many are registered at once', async () => {
      const eager = await api.member();
      const answers = await Promise.all(Array.from({ length: 28 }, () => register(valid, eager)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(25);
      expect(answers.find(({ status }) => status === 409)?.body.code).toBe('TOO_MANY_APPLICATIONS');
    });
  });

  it('keeps every call on an application to its developer', async () => {
    const { clientId } = await registerApplication(developer);
    const stranger = { status: 404, body: { code: 'APPLICATION_NOT_FOUND' } };
    expect(await change(clientId, { name: 'Mine' }, member)).toMatchObject(stranger);
    expect(await member.browser.post('/api/oauth/regenerate-secret', { clientId })).toMatchObject(stranger);
    expect(await member.browser.delete(`/api/oauth/application/${clientId}`)).toMatchObject(stranger);
    expect((await part(Applications).find(clientId))?.name).toBe('Nova Pocket');
  });

  it('replaces the secret: the old one dies at once, tokens live on', async () => {
    const application = await registerApplication(developer);
    const tokens = await tokensFor(api, member, application, { scopes: ['openid'] });
    const { clientId } = application;
    const { body } = await developer.browser.post('/api/oauth/regenerate-secret', { clientId });
    const renew = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await exchange(api, application, renew)).status).toBe(401);
    expect((await exchange(api, { ...application, clientSecret: body.clientSecret }, renew)).status).toBe(200);
    expect(await isActive(tokens.access_token)).toBe(true);
  });

  it('changes what is given and leaves the rest', async () => {
    const { clientId } = await registerApplication(developer, {
      description: 'First',
      logoUrl: 'https://a.example/l.png',
    });
    const answer = await change(clientId, { name: 'Pocket 2', description: '', redirectUris: ['http://[::1]/cb'] });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        name: 'Pocket 2',
        description: null,
        logoUrl: 'https://a.example/l.png',
        redirectUris: ['http://[::1]/cb'],
      },
    });
    expect(await change(clientId, { redirectUris: ['javascript:1'] })).toMatchObject({ status: 400 });
    expect(await change(clientId, {})).toMatchObject({ status: 200, body: { name: 'Pocket 2' } });
  });

  it('takes two changes at the same moment, of different things, both', async () => {
    const { clientId } = await registerApplication(developer);
    const { pool } = api.database;
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%oauth_applications%'`;
    const answers = await whileTableStands(pool, 'oauth_applications', async () => {
      const both = [change(clientId, { description: 'Pays' }), change(clientId, { isActive: false })];
      await eventually(async () => (await pool.query(waiting)).rowCount === both.length);
      return both;
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await part(Applications).find(clientId)).toMatchObject({ description: 'Pays', isActive: false });
  });

  it('switched off, is refused everywhere until it is on again', async () => {
    const application = await registerApplication(developer);
    const { clientId } = application;
    const tokens = await tokensFor(api, member, application, { scopes: ['openid'] });
    const renew = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect(await change(clientId, { isActive: false })).toMatchObject({ status: 200, body: { isActive: false } });
    expect(await isActive(tokens.access_token)).toBe(false);
    expect((await api.browser().get('/oauth/userinfo', bearer(tokens.access_token))).status).toBe(401);
    expect((await exchange(api, application, renew)).status).toBe(401);
    expect((await authorize(member.browser, authorizationRequest(application))).status).toBe(400);
    expect((await member.browser.get(`/api/oauth/client-info/${clientId}`)).status).toBe(404);
    await change(clientId, { isActive: true });
    expect(await isActive(tokens.access_token)).toBe(true);
    expect((await exchange(api, application, renew)).status).toBe(200);
  });

  it('deleted, ends with all its tokens, and keeps its name', async () => {
    const application = await registerApplication(developer, { name: 'Short-lived' });
    const { clientId } = application;
    const tokens = await tokensFor(api, member, application, { scopes: ['openid'] });
    await fund(clientId, 1_000n);
    const refused = await developer.browser.delete(`/api/oauth/application/${clientId}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'APP_WALLET_NOT_EMPTY', balance: 10 } });
    expect(await isActive(tokens.access_token)).toBe(true);
    const ledger = api.nova.app.get<Ledger>(LEDGER, { strict: false });
    const ownerId = developer.id;
    const command = { type: 'WithdrawAppWallet', clientId, ownerId, amount: 1_000n } as const;
    await ledger.execute({ command, actor: 'process' });
    expect((await developer.browser.delete(`/api/oauth/application/${clientId}`)).status).toBe(200);
    expect(await isActive(tokens.access_token)).toBe(false);
    const { rows } = await api.database.pool.query('select 1 from oauth_payloads where client_id = $1', [clientId]);
    expect(rows).toEqual([]);
    expect((await authorize(member.browser, authorizationRequest(application))).status).toBe(400);
    expect(await part(Applications).names([clientId])).toEqual(new Map([[clientId, 'Short-lived']]));
    expect((await developer.browser.delete(`/api/oauth/application/${clientId}`)).status).toBe(404);
    const { body } = await member.browser.get('/api/oauth/applications');
    expect(body.applications.map(({ id }: { id: string }) => id)).not.toContain(clientId);
  });

  it('brings home what reached the wallet of an application while it was being deleted', async () => {
    const { clientId } = await registerApplication(developer);
    await developer.browser.delete(`/api/oauth/application/${clientId}`);
    await fund(clientId, 500n);
    await api.database.pool.query(
      `update oauth_applications set deleted_at = now() - interval '2 minutes' where client_id = $1`,
      [clientId],
    );
    await part(OAuthHousekeeping).sweep();
    expect(
      (
        await api.nova.app.get<Ledger>(LEDGER, { strict: false }).execute({
          command: { type: 'WithdrawAppWallet', clientId, ownerId: developer.id, amount: 1n },
          actor: 'process',
          dryRun: true,
        })
      ).status,
    ).toBe('refused');
  });

  it('forgets what has expired', async () => {
    const application = await registerApplication(developer);
    await tokensFor(api, member, application, { scopes: ['openid'] });
    const { pool } = api.database;
    await pool.query(`update oauth_payloads set expires_at = now() where client_id = $1`, [application.clientId]);
    await part(OAuthHousekeeping).sweep();
    const { rows } = await pool.query('select 1 from oauth_payloads where client_id = $1', [application.clientId]);
    expect(rows).toEqual([]);
  });

  describe('consent', () => {
    const info = async (clientId: string) => (await member.browser.get(`/api/oauth/client-info/${clientId}`)).body;
    const listed = async (clientId: string) =>
      (await member.browser.get('/api/oauth/applications')).body.applications.find(
        ({ id }: { id: string }) => id === clientId,
      );

    it('shows who asks, and the limit that was chosen before', async () => {
      const application = await registerApplication(developer, { description: 'Pays' });
      const { clientId } = application;
      expect(await info(clientId)).toEqual({
        name: 'Nova Pocket',
        description: 'Pays',
        logoUrl: null,
        applicationUrl: null,
        owner: { displayName: developer.displayName, memberSince: expect.stringMatching(/^\d{4}-.*Z$/) },
        scopes: ['openid', 'profile', 'email', 'nova', 'karma', 'influence'],
        dailyLimit: 5000,
        isFirstConsent: true,
      });
      await tokensFor(api, member, application, { scopes: ['openid', 'nova'], dailyLimit: 42.5 });
      expect(await info(clientId)).toMatchObject({ dailyLimit: 42.5, isFirstConsent: false });
      expect(await listed(clientId)).toEqual({
        id: clientId,
        name: 'Nova Pocket',
        description: 'Pays',
        logoUrl: null,
        applicationUrl: null,
        grantedScopes: ['openid', 'nova'],
        dailyLimit: 42.5,
        firstConsentAt: expect.any(String),
        lastConsentAt: expect.any(String),
      });
      expect(await member.browser.get('/api/oauth/client-info/nobody')).toMatchObject({
        status: 404,
        body: { code: 'APPLICATION_NOT_FOUND' },
      });
    });

    it('changes the daily limit later, for tokens that there are', async () => {
      const application = await registerApplication(developer);
      const patch = (dailyLimit: unknown) =>
        member.browser.send('PATCH', `/api/oauth/consents/${application.clientId}`, { body: { dailyLimit } });
      expect(await patch(10)).toMatchObject({ status: 404 });
      const tokens = await tokensFor(api, member, application, { scopes: ['openid', 'nova'] });
      expect(await part(AccessTokens).find(tokens.access_token)).toMatchObject({ dailyLimit: 500_000n });
      expect(await patch(0)).toMatchObject({ status: 200, body: { dailyLimit: 0 } });
      expect(await part(AccessTokens).find(tokens.access_token)).toMatchObject({ dailyLimit: 0n });
      for (const wrong of [-1, 1_000_001, 0.005, '1', null, undefined]) expect((await patch(wrong)).status).toBe(400);
    });

    it('is asked for only what was not granted before, unless the application wants it asked', async () => {
      const application = await registerApplication(developer);
      const request = (more: Record<string, string> = {}) =>
        authorizationRequest(application, { scope: 'openid email', ...more });
      await giveConsent(member.browser, request());
      expect(location(await authorize(member.browser, request())).searchParams.get('code')).toEqual(expect.any(String));
      const more = location(await authorize(member.browser, request({ scope: 'openid email nova' })));
      expect(more.pathname).toBe('/oauth/consent');
      const again = location(await authorize(member.browser, request({ prompt: 'consent' })));
      expect(again.pathname).toBe('/oauth/consent');
      // What was granted once is not asked again, whatever happened in between.
      await giveConsent(member.browser, request({ scope: 'openid profile' }));
      expect(location(await authorize(member.browser, request())).searchParams.get('code')).toEqual(expect.any(String));
      // Refused scopes are asked for again, except in a silent request, where the refusal is the answer.
      await giveConsent(member.browser, request({ scope: 'openid karma' }), { scopes: ['openid'] });
      expect(location(await authorize(member.browser, request({ scope: 'openid karma' }))).pathname).toBe(
        '/oauth/consent',
      );
      const silent = location(await authorize(member.browser, request({ scope: 'openid karma', prompt: 'none' })));
      const { body } = await exchange(api, application, { code: silent.searchParams.get('code') ?? '' });
      expect(body.scope).toBe('openid');
    });

    it('is asked each time by a public application on the own machine', async () => {
      const redirectUris = ['http://127.0.0.1:4000/cb'];
      const application = await registerApplication(developer, { isPublic: true, redirectUris });
      await tokensFor(api, member, application, { scopes: ['openid'] });
      const pkce = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256', scope: 'openid' };
      const request = authorizationRequest(application, pkce);
      expect(location(await authorize(member.browser, request)).pathname).toBe('/oauth/consent');
      request.set('prompt', 'none');
      const silent = location(await authorize(member.browser, request));
      expect(silent.searchParams.get('error')).toBe('interaction_required');
    });

    it('that takes something back ends what went beyond it', async () => {
      const application = await registerApplication(developer);
      const wide = await tokensFor(api, member, application, { scopes: ['openid', 'nova'] });
      const request = authorizationRequest(application, { scope: 'openid nova', prompt: 'consent' });
      await giveConsent(member.browser, request, { scopes: ['openid'] });
      expect(await isActive(wide.access_token)).toBe(false);
      expect(await listed(application.clientId)).toMatchObject({ grantedScopes: ['openid'], dailyLimit: null });
    });

    it('that asks for something else leaves what was granted', async () => {
      const application = await registerApplication(developer);
      const first = await tokensFor(api, member, application, { scopes: ['openid', 'nova'] });
      await tokensFor(api, member, application, { scopes: ['openid', 'email'] });
      expect(await isActive(first.access_token)).toBe(true);
      expect((await listed(application.clientId)).grantedScopes).toEqual(['openid', 'email', 'nova']);
    });

    describe('on a screen whose request another one has replaced', () => {
      it.each([
        { scopes: ['openid', 'nova'], dailyLimit: 10 },
        { scopes: ['openid'], dailyLimit: null },
      ])('is asked anew, and only then counts: %j', async ({ scopes, dailyLimit }) => {
        const application = await registerApplication(developer);
        await tokensFor(api, member, application, { scopes: ['openid', 'nova'] });
        const request = { scope: 'openid nova', prompt: 'consent' };
        const screen = location(await authorize(member.browser, authorizationRequest(application, request)));
        const replacing = authorizationRequest(application, { scope: 'openid email' });
        await authorize(member.browser, replacing);
        const { body } = await decide(member.browser, screen, { scopes, dailyLimit });
        expect(await listed(application.clientId)).toMatchObject({ dailyLimit: 5000 });
        const again = location(await member.browser.get(body.redirect_url));
        expect(again.searchParams.get('scope')).toBe('openid nova');
        await decide(member.browser, again, { scopes, dailyLimit });
        expect(await listed(application.clientId)).toMatchObject({ grantedScopes: scopes, dailyLimit });
      });

      it('is no decision on the other, though both have no state', async () => {
        const application = await registerApplication(developer);
        const request = (scope: string) => authorizationRequest(application, { scope, state: undefined });
        const screen = location(await authorize(member.browser, request('openid nova')));
        await authorize(member.browser, request('openid email'));
        const { body } = await decide(member.browser, screen, { scopes: ['openid', 'nova'] });
        expect(location(await member.browser.get(body.redirect_url)).searchParams.get('scope')).toBe('openid nova');
      });

      it.each(['query', 'fragment', 'form_post'])(
        'is refused where the application looks: %s',
        async (response_mode) => {
          const application = await registerApplication(await api.member());
          const request = authorizationRequest(application, { response_mode });
          const screen = location(await authorize(member.browser, request));
          await authorize(member.browser, authorizationRequest(application, { nonce: 'another' }));
          const { body } = await decide(member.browser, screen, { approved: false });
          const answer = await member.browser.get(body.redirect_url);
          expect(answeredBy(answer)).toEqual([
            response_mode,
            application.redirectUri,
            expect.objectContaining({
              error: 'access_denied',
              state: 'a state of its own',
              iss: 'http://localhost:3000',
            }),
          ]);
        },
      );
    });

    it('revoked, ends every token of the application for this member alone', async () => {
      const application = await registerApplication(developer);
      const client_id = application.clientId;
      const other = await api.member();
      const mine = await tokensFor(api, member, application, { scopes: ['openid', 'nova'], dailyLimit: 7 });
      const theirs = await tokensFor(api, other, application, { scopes: ['openid'] });
      expect(await member.browser.post('/api/oauth/revoke', { client_id })).toMatchObject({ status: 200 });
      expect(await isActive(mine.access_token)).toBe(false);
      expect(
        (await exchange(api, application, { grant_type: 'refresh_token', refresh_token: mine.refresh_token })).status,
      ).toBe(400);
      expect(await isActive(theirs.access_token)).toBe(true);
      expect(await listed(client_id)).toBeUndefined();
      const limit = { body: { dailyLimit: 9 } };
      expect(await member.browser.send('PATCH', `/api/oauth/consents/${client_id}`, limit)).toMatchObject({
        status: 404,
      });
      expect(await info(client_id)).toMatchObject({ isFirstConsent: true, dailyLimit: 5000 });
      expect(await member.browser.post('/api/oauth/revoke', { client_id })).toMatchObject({ status: 404 });
      // Nothing is granted silently any more.
      const silent = authorizationRequest(application, { scope: 'openid', prompt: 'none' });
      expect(location(await authorize(member.browser, silent)).searchParams.get('error')).toBe('consent_required');
    });

    describe('decided at two browsers of a member at once', () => {
      it('grants no more than the decision that was recorded last', async () => {
        const application = await registerApplication(developer);
        const request = authorizationRequest(application, { scope: 'openid email nova' });
        const other = await anotherBrowser(api, member);
        const { second: back } = await whileFirstStands(api.database.pool, 'insert on oauth_consents', {
          first: () => giveConsent(other, request, { scopes: ['openid'] }),
          second: () => giveConsent(member.browser, request),
        });
        expect((await listed(application.clientId)).grantedScopes).toEqual(['openid']);
        const { body: tokens } = await exchange(api, application, { code: back.searchParams.get('code') ?? '' });
        expect((await part(AccessTokens).find(tokens.access_token))?.scopes).toEqual(new Set(['openid']));
        expect((await api.browser().get('/oauth/userinfo', bearer(tokens.access_token))).body).toEqual({
          sub: member.id,
        });
      });

      it('grants nothing that was revoked before it could be used', async () => {
        const application = await registerApplication(developer);
        const { clientId: client_id } = application;
        const request = authorizationRequest(application);
        const revoke = async () => {
          const { status } = await member.browser.post('/api/oauth/revoke', { client_id });
          return status;
        };
        const screen = location(await authorize(member.browser, request));
        const { first, second } = await whileFirstStands<unknown>(api.database.pool, 'insert on oauth_payloads', {
          first: async () => (await decide(member.browser, screen)).body.redirect_url,
          second: revoke,
        });
        expect(second).toBe(200);
        const next = location(await member.browser.get(String(first)));
        expect([next.pathname, next.searchParams.get('code')]).toEqual(['/oauth/consent', null]);
      });

      it('leaves a daily limit alone that only the other one changes', async () => {
        const application = await registerApplication(developer);
        const { clientId } = application;
        await tokensFor(api, member, application, { scopes: ['openid', 'nova'] });
        const request = authorizationRequest(application, { scope: 'openid email' });
        // Whoever comes second waits for the first: the consent is locked before it is changed.
        await Promise.all([
          giveConsent(member.browser, request),
          member.browser.send('PATCH', `/api/oauth/consents/${clientId}`, { body: { dailyLimit: 10 } }),
        ]);
        expect(await listed(clientId)).toMatchObject({ grantedScopes: ['openid', 'email', 'nova'], dailyLimit: 10 });
      });
    });

    it('narrows with what the application may ask for', async () => {
      const application = await registerApplication(developer);
      const first = await tokensFor(api, member, application, { scopes: ['openid', 'email', 'nova', 'karma'] });
      const told = async (token: string) =>
        Object.keys((await api.browser().get('/oauth/userinfo', bearer(token))).body);
      expect(await told(first.access_token)).toEqual(['sub', 'email', 'email_verified']);
      await change(application.clientId, { scopes: ['openid', 'karma'] });
      expect(await told(first.access_token)).toEqual(['sub']);
      const { refresh_token } = first;
      const renewed = (await exchange(api, application, { grant_type: 'refresh_token', refresh_token })).body;
      expect(renewed.scope).toBe('openid karma');
      expect(claimsOf(renewed)).not.toHaveProperty('email');
      for (const { access_token: token } of [first, renewed]) {
        expect(await told(token)).toEqual(['sub']);
        expect([...((await part(AccessTokens).find(token))?.scopes ?? [])]).toEqual(['openid', 'karma']);
        const worth = await sendForm(api, '/oauth/introspect', { token, ...credentials(application) });
        expect(worth.body).toMatchObject({ active: true, scope: 'openid karma' });
      }
    });

    it('sends nobody on who says no, beyond the application', async () => {
      const application = await registerApplication(developer);
      const back = await giveConsent(member.browser, authorizationRequest(application), { approved: false });
      expect(back.href.split('?')[0]).toBe(application.redirectUri);
      expect(Object.fromEntries(back.searchParams)).toMatchObject({
        error: 'access_denied',
        state: 'a state of its own',
        iss: 'http://localhost:3000',
      });
      expect(await listed(application.clientId)).toBeUndefined();
    });

    it('answers with a form where the application wants one, to it alone', async () => {
      const application = await registerApplication(developer);
      const request = authorizationRequest(application, { response_mode: 'form_post' });
      await giveConsent(member.browser, authorizationRequest(application));
      const answer = await authorize(member.browser, request);
      expect(answer.status).toBe(200);
      expect(answer.body).toContain(`action="${application.redirectUri}"`);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/script-src 'self' 'sha256-/);
      expect(policy).not.toContain('form-action');
    });
  });
});
