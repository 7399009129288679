import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import {
  authorizationRequest,
  authorize,
  bearer,
  claimsOf,
  decide,
  exchange,
  giveConsent,
  location,
  pkce,
  registerApplication,
} from '../support/oauth.js';

/** The way of a request through the consent screen. */
describe('the consent to a request', () => {
  let api: TestApi;
  let developer: TestMember;
  let member: TestMember;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '100' } });
    developer = await api.member();
    member = await api.member();
  });
  afterAll(() => api?.close());

  it.each(['profile', 'nope', 'profile openid'])('always grants openid, for scope %s too', async (scope) => {
    const application = await registerApplication(developer);
    const screen = location(await authorize(member.browser, authorizationRequest(application, { scope })));
    const { status, body } = await decide(member.browser, screen, { scopes: ['openid'] });
    expect([status, body.code]).toEqual([200, undefined]);
    const back = location(await member.browser.get(body.redirect_url));
    const tokens = (await exchange(api, application, { code: back.searchParams.get('code') ?? '' })).body;
    expect([tokens.scope, claimsOf(tokens).sub]).toEqual(['openid', member.id]);
    expect((await api.browser().get('/oauth/userinfo', bearer(tokens.access_token))).body).toEqual({ sub: member.id });
  });

  it.each([
    ['another request of the application', false],
    ['another application', true],
  ])('starts again with all that was asked when %s came in between', async (_what, isOther) => {
    const application = await registerApplication(developer, { isPublic: true });
    const { verifier, challenge } = pkce();
    const parameters = {
      nonce: 'n-0S6_WzA2Mj',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      response_mode: 'query',
      max_age: '3600',
      login_hint: 'ada@example.com',
    };
    const asked = authorizationRequest(application, parameters);
    const screen = location(await authorize(member.browser, asked));
    const between = isOther ? await registerApplication(developer) : application;
    const later = authorizationRequest(between, { ...parameters, code_challenge: pkce().challenge });
    await authorize(member.browser, later);
    const again = new URL((await decide(member.browser, screen)).body.redirect_url);
    expect(again.pathname).toBe('/oauth/authorize');
    expect(Object.fromEntries(again.searchParams)).toEqual({ ...Object.fromEntries(asked), prompt: 'consent' });
    const back = await giveConsent(member.browser, again.searchParams);
    const code = back.searchParams.get('code') ?? '';
    const { body } = await exchange(api, application, { code, code_verifier: verifier });
    expect(claimsOf(body)).toMatchObject({ sub: member.id, nonce: 'n-0S6_WzA2Mj' });
  });

  it.each([true, false])('takes a long state as /oauth/authorize did, approved: %s', async (approved) => {
    const application = await registerApplication(developer);
    const state = 'x'.repeat(2_048);
    const back = await giveConsent(member.browser, authorizationRequest(application, { state }), { approved });
    expect(back.origin + back.pathname).toBe(application.redirectUri);
    expect(back.searchParams.get('state')).toBe(state);
  });
});
