import { createHmac, type JsonWebKey, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { CARRIED_PARAMETERS } from '@app/domain';
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type pg from 'pg';
import { cookieName, pathCookieName } from '../../platform/auth/cookies.js';
import type { Config } from '../../platform/config.js';
import type { Consents } from '../consents.js';
import { TTL, VISITOR_INTERACTION_SECONDS } from '../limits.js';
import { SCOPES, SPENDING_SCOPES } from '../scopes.js';
import { renderErrorPage } from './error-page.js';
import { CLAIMS, type MemberClaims } from './member-claims.js';
import type { RequestMembers } from './member-session.js';
import { isVisitors, PayloadStore } from './payload-store.js';
import { APP_LINKS, ProviderClients, REQUIRE_PKCE, SECRETS } from './provider-clients.js';

const { Check, base } = interactionPolicy;

/**
 * When a member is asked (rule oauth-12): always, unless everything that is requested was granted before. Members are
 * asked again about refused scopes, except that `prompt=none` takes the refusal as the answer.
 */
function createInteractionPolicy(): interactionPolicy.DefaultPolicy {
  const policy = base();
  const consent = policy.get('consent');
  if (!consent) throw new Error('the provider asks nobody for consent');
  const { checks } = consent;
  for (const reason of ['op_scopes_missing', 'native_client_prompt']) checks.remove(reason);
  checks.add(
    new Check('op_scopes_missing', 'requested scopes not granted', 'consent_required', ({ oidc }) =>
      isScopeMissing(oidc),
    ),
  );
  checks.add(
    new Check('local_client', 'the member must decide each time', 'interaction_required', ({ oidc }) => isLocal(oidc)),
  );
  return policy;
}

type Asked = KoaContextWithOIDC['oidc'];

function isScopeMissing({ entities, result, prompts, requestParamOIDCScopes }: Asked): boolean {
  const grant = entities.Grant;
  if (!grant) return true;
  const decided = result?.consent || prompts.has('none') ? grant.getOIDCScopeEncountered() : grant.getOIDCScope();
  const known = new Set(decided.split(' '));
  return [...requestParamOIDCScopes].some((scope) => !known.has(scope));
}

/**
 * Any program on the member's machine can pose as a public client that listens there or has a scheme of its own (RFC
 * 8252 §8.6): it gets nothing unless the member consents.
 */
function isLocal({ client, params, result }: Asked): boolean {
  const isPublic = client?.tokenEndpointAuthMethod === 'none';
  const redirectUri = params?.['redirect_uri'];
  return isPublic && !result?.consent && typeof redirectUri === 'string' && !redirectUri.startsWith('https:');
}

export interface ProviderParts {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly members: MemberClaims;
  readonly keys: readonly JsonWebKey[];
  readonly consents: Consents;
  readonly requestMembers: RequestMembers;
  /** The id of the secret that proved the application of a request. */
  readonly secretOf: (request: IncomingMessage) => string | undefined;
}

/** The parameters that the consent screen gets (rule oauth-9). */
const SHOWN = ['client_id', 'redirect_uri', 'response_type', ...CARRIED_PARAMETERS] as const;

/** Interactions for which being signed in is not enough: the member has to sign in again. */
export const SIGN_IN_AGAIN = ['login_prompt', 'max_age'];

/**
 * A parameter of authorization requests: the member has already denied access, on the consent screen and nowhere else.
 */
export const DENIED = 'denied';
export const MEMBER_DENIED = 'The member denied access.';

/** The value of `denied` in a request. Only this server can make it, so no link can deny access in a member's name. */
export function proofOfDenial({ secrets }: Pick<Config, 'secrets'>, request: URLSearchParams): string {
  const about = [...request].filter(([name]) => name !== DENIED).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHmac('sha256', secrets.session)
    .update(`oauth denial ${JSON.stringify(about)}`)
    .digest('base64url');
}

/** Whether a request has a valid `denied`, as only the consent screen can make it, or none. */
export function mayDeny(config: Pick<Config, 'secrets'>, request: URLSearchParams): boolean {
  const [given, ...more] = request.getAll(DENIED).map((proof) => Buffer.from(proof));
  if (!given) return true;
  const right = Buffer.from(proofOfDenial(config, request));
  return more.length === 0 && given.length === right.length && timingSafeEqual(given, right);
}

/** The code flow with PKCE, rotated refresh tokens, opaque access tokens (rule oauth-15); for applications themselves see `addOwnGrant`. */
export const providerConfiguration = (parts: ProviderParts): Configuration => ({
  ...stored(parts),
  ...shown(parts),
  ...allowed(),
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => isOwnToken(client.clientId, token.clientId) },
    userinfo: { enabled: true },
    // The page for codes is ours.
    deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
    // On by default in the library. A token bound to a key would pass here as an unbound one, and the other features
    // are not needed.
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    rpInitiatedLogout: { enabled: false },
  },
});

/** Where the provider of test clients takes authorization requests: they come to `/oauth/authorize` like all. */
export const TEST_AUTHORIZE = '/oauth/test/authorize';

/**
 * For authorization requests of test clients alone: with cookies of its own, so that no member's session is read or
 * changed, and a screen that shows each time (rule apps-11). Codes and tokens are the same.
 */
export function testConfiguration(parts: ProviderParts): Configuration {
  const { config } = parts;
  const live = providerConfiguration(parts);
  return {
    ...live,
    cookies: {
      ...live.cookies,
      names: {
        session: pathCookieName(config, 'nova_test_oauth'),
        interaction: cookieName(config, 'nova_test_oauth_interaction'),
        resume: pathCookieName(config, 'nova_test_oauth_resume'),
      },
    },
    routes: { ...live.routes, authorization: TEST_AUTHORIZE },
    interactions: { ...live.interactions, url: (_ctx, { params }) => `${TEST_CONSENT}?${shownOf(params).toString()}` },
    loadExistingGrant({ oidc: { result, provider } }) {
      const grantId = result?.consent?.grantId;
      return Promise.resolve(grantId === undefined ? undefined : provider.Grant.find(grantId));
    },
  };
}

const TEST_CONSENT = '/oauth/consent/test';

/** The parameters of a request that its screen gets. */
function shownOf(params: Readonly<Record<string, unknown>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of SHOWN) {
    const value = params[name];
    if (typeof value === 'string') query.set(name, value);
  }
  return query;
}

/** RFC 7009 §2.1: the token of another client is refused, and stays valid. */
function isOwnToken(clientId: string, ownerId: string | undefined): boolean {
  if (clientId === ownerId) return true;
  throw new errors.InvalidRequest('client is not authorized to revoke the presented token');
}

const stored = ({ config, pool, keys, members, consents, requestMembers, secretOf }: ProviderParts): Configuration => ({
  adapter: (model) => (model === 'Client' ? new ProviderClients(pool) : new PayloadStore(pool, model)),
  jwks: { keys: keys },
  cookies: {
    keys: [createHmac('sha256', config.secrets.session).update('oauth cookies').digest('base64url')],
    names: {
      session: pathCookieName(config, 'nova_oauth'),
      interaction: cookieName(config, 'nova_oauth_interaction'),
      resume: pathCookieName(config, 'nova_oauth_resume'),
    },
    // The consent is decided at /api/oauth/consent.
    short: { httpOnly: true, sameSite: 'lax', path: '/' },
    long: { httpOnly: true, sameSite: 'lax', path: '/oauth' },
  },
  ttl: {
    ...TTL,
    Interaction: (_ctx, interaction) => (isVisitors(interaction) ? VISITOR_INTERACTION_SECONDS : TTL.Interaction),
  },
  // An application's own token ends with its secret.
  extraTokenClaims: ({ req }, token) => (token.kind === 'ClientCredentials' ? { secret_id: secretOf(req) } : undefined),
  findAccount: (_ctx, sub) => members.find(sub),
  async loadExistingGrant({ oidc, req }) {
    const { client, result, provider, requestParamOIDCScopes } = oidc;
    const member = requestMembers.of(req);
    if (!member || !client) return undefined;
    const { id: memberId, deviceId } = member;
    const asked = { memberId, clientId: client.clientId, scopes: [...requestParamOIDCScopes], deviceId };
    const grantId = result?.consent?.grantId ?? (await consents.livingGrant(asked));
    return grantId === undefined ? undefined : provider.Grant.find(await consents.ownGrant(grantId, deviceId));
  },
});

const shown = ({ config }: ProviderParts): Configuration => ({
  routes: {
    authorization: '/oauth/authorize',
    token: '/oauth/token',
    userinfo: '/oauth/userinfo',
    revocation: '/oauth/revoke',
    introspection: '/oauth/introspect',
    jwks: '/oauth/jwks',
    device_authorization: '/oauth/device_authorization',
    code_verification: '/device',
  },
  discovery: { service_documentation: `${config.publicUrl}/developer` },
  renderError: renderErrorPage,
  interactions: {
    policy: createInteractionPolicy(),
    url(_ctx, { params, prompt }) {
      const query = shownOf(params);
      // A visitor signs in on the way anyway.
      const { reasons } = prompt;
      const isAgain = reasons.some((reason) => SIGN_IN_AGAIN.includes(reason)) && !reasons.includes('no_session');
      if (isAgain) query.set('prompt', 'login');
      return `/oauth/consent?${query.toString()}`;
    },
  },
});

/** Who holds a device may be anybody, and a code can be passed on: it never spends (rule oauth-22). */
function refuseSpending(scope: unknown): void {
  const asked = typeof scope === 'string' ? scope.split(' ') : [];
  const spending = asked.find((name) => SPENDING_SCOPES.some((each) => each === name));
  if (spending !== undefined) throw new errors.InvalidScope('a device cannot get this scope', spending);
}

const allowed = (): Configuration => ({
  extraParams: {
    // The library asks this of every request, whatever its parameters.
    [DENIED]({ oidc }, value) {
      if (value !== undefined) throw new errors.AccessDenied(MEMBER_DENIED);
      if (oidc.route === 'device_authorization') refuseSpending(oidc.params?.['scope']);
    },
  },
  scopes: SCOPES,
  claims: CLAIMS,
  // The id token has the same claims as userinfo (rule oauth-17).
  conformIdTokenClaims: false,
  responseTypes: ['code'],
  subjectTypes: ['public'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  enabledJWA: { idTokenSigningAlgValues: ['RS256'], userinfoSigningAlgValues: ['RS256'] },
  pkce: { required: (_ctx, client) => client.tokenEndpointAuthMethod === 'none' || client[REQUIRE_PKCE] === true },
  extraClientMetadata: { properties: [APP_LINKS, REQUIRE_PKCE, SECRETS] },
  allowOmittingSingleRegisteredRedirectUri: false,
  issueRefreshToken: () => true,
  expiresWithSession: () => false,
  rotateRefreshToken: true,
  // A renewal that is in progress then yields tokens without a grant.
  revokeGrantPolicy: () => true,
  // Allows pages of a registered redirect URI's origin: public clients exchange codes there, and all may ask who is
  // signed in.
  clientBasedCORS: ({ oidc }, origin, client) =>
    (oidc.route === 'userinfo' || client.tokenEndpointAuthMethod === 'none') &&
    (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin),
});
