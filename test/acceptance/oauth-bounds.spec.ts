import { OAuthHousekeeping } from '../../apps/api/src/oauth/oauth-housekeeping.js';
import { PAYLOADS_MAX } from '../../apps/api/src/oauth/limits.js';
import { startTestApi, type TestApi, type TestBrowser, type TestMember } from '../support/api.js';
import {
  anotherBrowser,
  authorizationRequest,
  authorize,
  bearer,
  exchange,
  giveConsent,
  location,
  registerApplication,
  type TestApplication,
  tokensFor,
} from '../support/oauth.js';

const SCOPE = 'openid';

/** One member repeats calls that leave rows at the provider, with an application of their own: the rows stay few. */
describe('what one member leaves at the OAuth provider', () => {
  let api: TestApi;
  let member: TestMember;
  let application: TestApplication;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '1000' } });
  });
  beforeEach(async () => {
    member = await api.member();
    application = await registerApplication(member);
    await giveConsent(member.browser, authorizationRequest(application, { scope: SCOPE }));
  });
  afterAll(() => api?.close());

  /** Sends the session's cookie and none of the provider's, like a program with a stolen or own session. */
  const withoutProviderCookies = ({ cookies }: TestBrowser): TestBrowser => {
    const browser = api.browser();
    for (const [name, value] of cookies) if (!name.startsWith('nova_oauth')) browser.cookies.set(name, value);
    return browser;
  };
  const repeat = async (times: number, parameters: Record<string, string>): Promise<URL[]> => {
    const request = authorizationRequest(application, { scope: SCOPE, ...parameters });
    const places: URL[] = [];
    for (let call = 0; call < times; call++) {
      places.push(location(await authorize(withoutProviderCookies(member.browser), request)));
    }
    return places;
  };
  const counts = async (): Promise<Record<string, number>> => {
    const { rows } = await api.database.pool.query<{ model: string; count: number }>(
      'select model, count(*)::int as count from oauth_payloads where account_id = $1 group by model',
      [member.id],
    );
    return Object.fromEntries(rows.map(({ model, count }) => [model, count]));
  };
  const renew = (refresh_token: string) => exchange(api, application, { grant_type: 'refresh_token', refresh_token });
  /** Adds rows of a model that end within the days to come, as if they had been made in the days before. */
  const addRows = (model: keyof typeof PAYLOADS_MAX, count: number, grantId: string | null = null) =>
    api.database.pool.query(
      `insert into oauth_payloads (model, id, payload, grant_id, account_id, client_id, expires_at)
       select $1, $2 || n, '{}', $3, $4, $5, now() + n * interval '1 minute' from generate_series(1, $6) n`,
      [model, `${member.id} ${model} `, grantId, member.id, IN_CLIENT.has(model) ? application.clientId : null, count],
    );
  const IN_CLIENT = new Set<string>(['Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken']);

  it('one grant of a device, and few sign-ins and codes, however often a browser forgets the provider', async () => {
    const before = await counts();
    const places = await repeat(150, { prompt: 'none' });
    expect(places.every(({ searchParams }) => searchParams.has('code'))).toBe(true);
    const after = await counts();
    expect(after['Grant']).toBe(before['Grant']);
    expect(after['Session']).toBe(PAYLOADS_MAX.Session);
    expect(after['AuthorizationCode']).toBe(PAYLOADS_MAX.AuthorizationCode);
    // The newest one is still valid.
    const code = places.at(-1)?.searchParams.get('code') ?? '';
    expect((await exchange(api, application, { code })).status).toBe(200);
  });

  it('few open consent screens', async () => {
    await repeat(PAYLOADS_MAX.Interaction + 10, { prompt: 'consent', state: 'x'.repeat(2_000) });
    expect((await counts())['Interaction']).toBe(PAYLOADS_MAX.Interaction);
  });

  it('few grants, however often the member decides: those used longest ago go', async () => {
    const inUse = await tokensFor(api, member, application, { scopes: [SCOPE] });
    await addRows('Grant', PAYLOADS_MAX.Grant + 10);
    const latest = await tokensFor(api, member, application, { scopes: [SCOPE] });
    expect((await counts())['Grant']).toBe(PAYLOADS_MAX.Grant);
    for (const { access_token, refresh_token } of [inUse, latest]) {
      expect((await api.browser().get('/oauth/userinfo', bearer(access_token))).status).toBe(200);
      expect((await renew(refresh_token)).status).toBe(200);
    }
  });

  it('few access tokens: the oldest go', async () => {
    await addRows('AccessToken', PAYLOADS_MAX.AccessToken + 10);
    const { access_token } = await tokensFor(api, member, application, { scopes: [SCOPE] });
    expect((await counts())['AccessToken']).toBe(PAYLOADS_MAX.AccessToken);
    expect((await api.browser().get('/oauth/userinfo', bearer(access_token))).status).toBe(200);
  });

  it('few refresh tokens: no used one is forgotten, but its whole sign-in ends', async () => {
    const long = await tokensFor(api, member, application, { scopes: [SCOPE] });
    const { rows } = await api.database.pool.query<{ grant_id: string }>(
      `select grant_id from oauth_payloads where model = 'RefreshToken' and account_id = $1`,
      [member.id],
    );
    await addRows('RefreshToken', PAYLOADS_MAX.RefreshToken, rows[0]?.grant_id ?? '');
    const browser = await anotherBrowser(api, member);
    const back = await giveConsent(browser, authorizationRequest(application, { scope: SCOPE }));
    const { body: other } = await exchange(api, application, { code: back.searchParams.get('code') ?? '' });
    expect((await counts())['RefreshToken']).toBe(1);
    expect((await renew(long.refresh_token)).status).toBe(400);
    expect((await api.browser().get('/oauth/userinfo', bearer(long.access_token))).status).toBe(401);
    expect((await renew(other.refresh_token)).status).toBe(200);
  });

  it('and the housekeeping bounds what is there from before', async () => {
    for (const [model, max] of Object.entries(PAYLOADS_MAX)) {
      await addRows(model as keyof typeof PAYLOADS_MAX, max + 10, model === 'RefreshToken' ? 'long renewed' : null);
    }
    await api.nova.app.get(OAuthHousekeeping).sweep();
    const { RefreshToken, ...others } = await counts();
    const { RefreshToken: most, ...max } = PAYLOADS_MAX;
    expect(others).toEqual(max);
    expect(RefreshToken ?? 0).toBeLessThanOrEqual(most);
    // The last grant is still valid.
    expect((await repeat(1, { prompt: 'none' }))[0]?.searchParams.has('code')).toBe(true);
  });
});
