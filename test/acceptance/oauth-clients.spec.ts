import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { giveConsent, registerApplication, type TestApplication } from '../support/oauth.js';

/** Client libraries that applications use, unmodified, through the whole flow. */
describe('certified client libraries', () => {
  let api: TestApi;
  let member: TestMember;
  let confidential: TestApplication;
  let open: TestApplication;
  beforeAll(async () => {
    api = await startTestApi({ atPublicUrl: true });
    const developer = await api.member();
    member = await api.member({ displayName: 'Grace Hopper' });
    confidential = await registerApplication(developer);
    open = await registerApplication(developer, { isPublic: true });
  });
  afterAll(() => api?.close());

  const scope = 'openid profile email nova';

  const discovered = async ({ clientId, clientSecret }: TestApplication) => {
    const authentication = clientSecret === '' ? openid.None() : openid.ClientSecretBasic(clientSecret);
    const execute = [openid.allowInsecureRequests];
    return openid.discovery(new URL(api.url), clientId, undefined, authentication, { execute });
  };

  it.each(['confidential', 'public'] as const)('openid-client signs a member in to a %s application', async (kind) => {
    const application = kind === 'public' ? open : confidential;
    const config = await discovered(application);
    const verifier = openid.randomPKCECodeVerifier();
    const [state, nonce] = [openid.randomState(), openid.randomNonce()];
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: application.redirectUri,
      scope,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    expect(address.href.startsWith(`${api.url}/oauth/authorize?`)).toBe(true);
    const back = await giveConsent(member.browser, address.searchParams);

    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    const tokens = await openid.authorizationCodeGrant(config, back, checks);
    expect(tokens.claims()).toMatchObject({ iss: api.url, sub: member.id, aud: application.clientId, nonce });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope });

    const info = await openid.fetchUserInfo(config, tokens.access_token, member.id);
    expect(info).toMatchObject({ name: 'Grace Hopper', email: member.email });

    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(renewed.claims()).toMatchObject({ sub: member.id });
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect(await openid.tokenIntrospection(config, renewed.access_token)).toMatchObject({
      active: true,
      sub: member.id,
      client_id: application.clientId,
      scope,
      token_type: 'Bearer',
    });

    await openid.tokenRevocation(config, renewed.refresh_token ?? '');
    for (const token of [renewed.access_token, renewed.refresh_token ?? '']) {
      expect(await openid.tokenIntrospection(config, token)).toEqual({ active: false });
    }
    await expect(openid.refreshTokenGrant(config, renewed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(openid.fetchUserInfo(config, renewed.access_token, member.id)).rejects.toThrow();
  });

  it('openid-client learns that the member said no', async () => {
    const config = await discovered(confidential);
    const state = openid.randomState();
    const parameters = { redirect_uri: confidential.redirectUri, scope, state, prompt: 'consent' };
    const address = openid.buildAuthorizationUrl(config, parameters);
    const back = await giveConsent(member.browser, address.searchParams, { approved: false });
    await expect(openid.authorizationCodeGrant(config, back, { expectedState: state })).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  it('oauth4webapi signs a member in and verifies the signature of the id token', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(api.url);
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
    const client: oauth.Client = { client_id: confidential.clientId };
    const authentication = oauth.ClientSecretPost(confidential.clientSecret);
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const verifier = oauth.generateRandomCodeVerifier();
    const address = new URL(server.authorization_endpoint ?? '');
    const parameters = {
      client_id: client.client_id,
      redirect_uri: confidential.redirectUri,
      response_type: 'code',
      scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      prompt: 'consent',
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    const back = await giveConsent(member.browser, address.searchParams);

    const answered = oauth.validateAuthResponse(server, client, back, state);
    const redirectUri = confidential.redirectUri;
    const exchanged = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      answered,
      redirectUri,
      verifier,
      insecure,
    );
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged, expected);
    await oauth.validateApplicationLevelSignature(server, exchanged, insecure);
    const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
    expect(sub).toBe(member.id);

    const info = await oauth.userInfoRequest(server, client, tokens.access_token, insecure);
    expect(await oauth.processUserInfoResponse(server, client, sub, info)).toMatchObject({ name: 'Grace Hopper' });

    const refreshed = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      tokens.refresh_token ?? '',
      insecure,
    );
    const renewed = await oauth.processRefreshTokenResponse(server, client, refreshed);
    const asked = await oauth.introspectionRequest(server, client, authentication, renewed.access_token, insecure);
    expect(await oauth.processIntrospectionResponse(server, client, asked)).toMatchObject({ active: true });
    const revoked = await oauth.revocationRequest(server, client, authentication, renewed.access_token, insecure);
    await oauth.processRevocationResponse(revoked);
    const after = await oauth.introspectionRequest(server, client, authentication, renewed.access_token, insecure);
    expect(await oauth.processIntrospectionResponse(server, client, after)).toMatchObject({ active: false });
  });
});
