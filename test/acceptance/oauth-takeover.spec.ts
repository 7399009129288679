import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { signInAdmin } from '../support/money.js';
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
  registerApplication,
  sendForm,
  type TestApplication,
  type Tokens,
  tokensFor,
} from '../support/oauth.js';

const SPENDS = ['openid', 'profile', 'nova'];
const READS = ['openid', 'profile', 'karma'];

/** Somebody who once knew the password or PIN may have given consents with it. */
describe('grants end with the secret that gave them', () => {
  let api: TestApi;
  let other: TestApi;
  let admin: TestMember;
  let developer: TestMember;
  let spender: TestApplication;
  let reader: TestApplication;
  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    other = await startTestApi({ database: api.database, environment: { RATE_LIMIT_FACTOR: '1000' } });
    developer = await api.member();
    spender = await registerApplication(developer, { name: 'Spender' });
    reader = await registerApplication(developer, { name: 'Reader' });
  });
  afterAll(async () => {
    await other?.close();
    await api?.close();
  });

  interface Held {
    readonly spending: Tokens;
    readonly reading: Tokens;
    /** An authorization that was granted and not exchanged. */
    readonly code: string;
  }

  const hold = async (member: TestMember): Promise<Held> => ({
    spending: await tokensFor(api, member, spender, { scopes: SPENDS, dailyLimit: 90_000 }),
    reading: await tokensFor(api, member, reader, { scopes: READS }),
    code: codeOf(await giveConsent(member.browser, authorizationRequest(reader, { scope: READS.join(' ') }))),
  });
  const codeOf = (back: URL) => back.searchParams.get('code') ?? '';
  const read = (where: TestApi, { access_token }: Tokens) =>
    where.browser().get('/api/oauth/token-balances', bearer(access_token));
  const renew = (application: TestApplication, { refresh_token }: Tokens) =>
    sendForm(api, '/oauth/token', { grant_type: 'refresh_token', refresh_token, ...credentials(application) });

  const expectNothingLeft = async (member: TestMember, { spending, reading, code }: Held) => {
    for (const server of [api, other]) {
      expect((await read(server, spending)).status).toBe(401);
      expect((await server.browser().get('/oauth/userinfo', bearer(reading.access_token))).status).toBe(401);
    }
    const invalid = { status: 400, body: { error: 'invalid_grant' } };
    expect(await renew(spender, spending)).toMatchObject(invalid);
    expect(await renew(reader, reading)).toMatchObject(invalid);
    expect(await exchange(api, reader, { code })).toMatchObject(invalid);
    const { rows } = await api.database.pool.query(
      `select model from oauth_payloads where account_id = $1 or payload #>> '{session,accountId}' = $1::text`,
      [member.id],
    );
    expect(rows).toEqual([]);
  };

  const ways: [string, (member: TestMember) => Promise<{ status: number }>][] = [
    [
      'a recovery by PIN',
      ({ email, pin }) => api.browser().post('/api/auth/recover', { email, pin, newPassword: 'another horse' }),
    ],
    [
      "an admin's reset of the password",
      ({ id }) => admin.browser.post(`/api/admin/users/${id}/reset-password`, { newPassword: 'sesame' }),
    ],
    [
      "an admin's reset of the PIN",
      ({ id }) => admin.browser.post(`/api/admin/users/${id}/reset-pin`, { newPin: '0420' }),
    ],
  ];

  it.each(ways)('%s leaves nothing of a takeover', async (_, recover) => {
    const member = await api.member();
    const held = await hold(member);
    expect((await read(api, held.spending)).status).toBe(200);
    // The consent screen is open in the browser that took over the account.
    const screen = location(await authorize(member.browser, authorizationRequest(spender, { prompt: 'consent' })));
    expect([200, 201]).toContain((await recover(member)).status);
    await expectNothingLeft(member, held);
    expect((await decide(member.browser, screen)).status).toBe(401);
    const back = location(await authorize(member.browser, authorizationRequest(reader, { prompt: 'none' })));
    expect(back.searchParams.get('error')).toBe('login_required');
  });

  it("a member's own new password ends what may spend, says which, and leaves the rest", async () => {
    const member = await api.member();
    const held = await hold(member);
    const { status, body } = await member.browser.post('/api/auth/password', {
      currentPassword: member.password,
      newPassword: 'another horse',
    });
    expect([status, body.revokedApplications]).toEqual([200, ['Spender']]);
    expect(body.message).toContain('Spender');
    expect((await read(other, held.spending)).status).toBe(401);
    expect((await renew(spender, held.spending)).status).toBe(400);
    expect((await other.browser().get('/oauth/userinfo', bearer(held.reading.access_token))).status).toBe(200);
    expect((await renew(reader, held.reading)).status).toBe(200);
    const { applications } = (await member.browser.get('/api/oauth/applications')).body;
    expect(applications.map(({ name }: { name: string }) => name)).toEqual(['Reader']);
  });

  it('a consent that is given again after it ended begins with the default limit', async () => {
    const member = await api.member();
    await tokensFor(api, member, spender, { scopes: SPENDS, dailyLimit: 90_000 });
    await member.browser.post('/api/oauth/revoke', { client_id: spender.clientId });
    const info = await member.browser.get(`/api/oauth/client-info/${spender.clientId}`);
    expect(info.body).toMatchObject({ dailyLimit: 5_000, isFirstConsent: true });
    await tokensFor(api, member, spender, { scopes: SPENDS });
    const { applications } = (await member.browser.get('/api/oauth/applications')).body;
    expect(applications).toMatchObject([{ name: 'Spender', dailyLimit: 5_000 }]);
  });

  it('a decision of a session that has ended is not stored', async () => {
    const member = await api.member();
    const thief = await anotherBrowser(api, member);
    const screen = location(await authorize(thief, authorizationRequest(spender, { scope: SPENDS.join(' ') })));
    const { email, pin } = member;
    const [recovered] = await Promise.all([
      api.browser().post('/api/auth/recover', { email, pin, newPassword: 'another horse' }),
      ...Array.from({ length: 5 }, () => decide(thief, screen)),
    ]);
    expect(recovered.status).toBe(200);
    const { rows } = await api.database.pool.query(
      'select from oauth_consents where user_id = $1 and revoked_at is null',
      [member.id],
    );
    expect(rows).toEqual([]);
  });

  describe('denying', () => {
    it.each(['true', '', 'x'.repeat(43)])('is nothing that a link can do: denied=%j', async (denied) => {
      const { browser } = await api.member();
      const answer = await authorize(browser, authorizationRequest(reader, { denied }));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
      expect(answer.body).toContain('only the consent screen may say that access was denied');
      expect(answer.headers.get('location')).toBeNull();
    });

    it('of one request is not a denial of another', async () => {
      const { browser } = await api.member();
      const screen = location(await authorize(browser, authorizationRequest(reader)));
      await authorize(browser, authorizationRequest(spender));
      const denial = new URL((await decide(browser, screen, { approved: false })).body.redirect_url);
      expect(location(await browser.get(denial.pathname + denial.search)).searchParams.get('error')).toBe(
        'access_denied',
      );
      denial.searchParams.set('state', 'another');
      expect((await browser.get(denial.pathname + denial.search)).status).toBe(400);
    });

    it.each([undefined, null, 'false', 'true', 0, 1, [], {}])('nor is a decision of %j one', async (approved) => {
      const { browser } = await api.member();
      const screen = location(await authorize(browser, authorizationRequest(reader)));
      const answer = await decide(browser, screen, { approved: approved as boolean });
      expect(answer.status).toBe(400);
      expect((await decide(browser, screen)).status).toBe(200);
    });
  });
});
