import type { OpenAPIObject } from '@nestjs/swagger';
import { OWN_SCOPES } from '../own-scopes.js';
import { SCOPES } from '../scopes.js';

type Paths = OpenAPIObject['paths'];
type Operation = NonNullable<Paths[string]['get']>;
type Schema = Extract<NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string], { type?: unknown }>;

const text = (description: string, example?: string): Schema => ({
  type: 'string',
  description,
  ...(example !== undefined && { example }),
});

/** Codes and tokens are 43 characters. */
const OPAQUE = 'Yk9tVtQ0x1sW3nB7cZ2eR5uI8oP4aD6fG9hJ0kL1mN2';

const object = (required: readonly string[], properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: [...required],
  properties,
});

const json = (description: string, schema: Schema): Operation['responses'][string] => ({
  description,
  content: { 'application/json': { schema } },
});

const form = (schema: Schema): Operation['requestBody'] => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema } },
});

const query = (name: string, required: boolean, description: string): NonNullable<Operation['parameters']>[number] => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type: 'string' },
});

/** The provider's refusals (RFC 6749 §5.2). */
const REFUSED = json(
  'Refused, in the words of OAuth.',
  object(['error'], {
    error: text('A stable word, such as `invalid_grant`.', 'invalid_grant'),
    error_description: text('What is wrong.', 'grant request is invalid'),
  }),
);

/** What the provider says to a client, which proves itself in a form. */
const REFUSED_CLIENTS = {
  400: { ...REFUSED, description: 'Something in the form is missing or wrong.' },
  401: { ...REFUSED, description: 'The client did not prove itself.' },
};

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const TAGS = ['OAuth: protocol'];
const BEARER: NonNullable<Operation['security']> = [{ oauth2: ['openid'] }, { bearer: [] }];

/** A client proves itself by these fields, or by `Authorization: Basic`; a public client by PKCE alone. */
const CLIENT = {
  client_id: text('The application.'),
  client_secret: text('Its secret; not for public applications, nor beside `Authorization: Basic`.'),
};

const operation = (
  operationId: string,
  summary: string,
  rest: Pick<Operation, 'responses'> & Partial<Operation>,
): Operation => ({
  operationId,
  summary,
  tags: TAGS,
  ...rest,
  responses: { ...rest.responses, default: REFUSED },
});

/** oidc-provider answers the protocol's calls, which have no controllers, so they are described here. */
const paths = (): Paths => ({
  '/oauth/authorize': { get: authorize() },
  '/oauth/device_authorization': { post: deviceAuthorization() },
  '/oauth/token': { post: token() },
  '/oauth/userinfo': { get: userinfo('get'), post: userinfo('post') },
  '/oauth/revoke': { post: revoke() },
  '/oauth/introspect': { post: introspect() },
  '/oauth/jwks': { get: jwks() },
  '/.well-known/openid-configuration': { get: discovery() },
});

const authorize = (): Operation =>
  operation('authorizeMember', 'Ask a member for access: a browser is sent here, and comes back with a code', {
    description:
      'Open it in a browser. It leads to the consent screen and from there to `redirect_uri`, with `code`, `state` and `iss`, or `error`.',
    parameters: [
      query('client_id', true, 'The application.'),
      query(
        'redirect_uri',
        true,
        'One that is registered, letter by letter; at `127.0.0.1` and `[::1]` with any port.',
      ),
      query('response_type', true, 'Always `code`.'),
      query(
        'scope',
        false,
        `Of ${SCOPES.join(', ')}, with spaces between; \`openid profile\` when absent, and \`openid\` always.`,
      ),
      query('state', false, 'Comes back as it is: compare it.'),
      query('nonce', false, 'Comes back in the id token.'),
      query('code_challenge', false, 'PKCE, S256; public applications must send it.'),
      query('code_challenge_method', false, 'Always `S256`.'),
      query('prompt', false, '`none`, `login`, `consent` or `select_account`, which means signing in again.'),
      query('max_age', false, 'Seconds since the member signed in, at most.'),
      query('id_token_hint', false, 'An earlier id token: whom the application expects.'),
      query('login_hint', false, 'The e-mail address with which the sign-in form begins.'),
      query('response_mode', false, '`query` (the default), `fragment` or `form_post`.'),
    ],
    responses: { 303: { description: 'To the consent screen, or to the application.' } },
  });

const deviceAuthorization = (): Operation =>
  operation('startDeviceAuthorization', 'Begin a sign-in on a device without a browser (RFC 8628)', {
    description:
      'The application must allow it. The device shows the code and the address; the member enters the code there. Meanwhile the device asks the token call.',
    requestBody: form(
      object([], {
        scope: text('`openid profile` when absent; never `nova`.'),
        ...CLIENT,
      }),
    ),
    responses: {
      200: json(
        'What the device shows, and what it asks the token call with.',
        object(['device_code', 'user_code', 'verification_uri', 'expires_in', 'interval'], {
          device_code: text('For the token call alone.', OPAQUE),
          user_code: text('For the member to enter.', 'BDFG-HJKL'),
          verification_uri: text('Where the member enters it.'),
          verification_uri_complete: text('The same with the code, for a QR code.'),
          expires_in: { type: 'integer', description: 'Seconds that both codes live: ten minutes.' },
          interval: { type: 'integer', description: 'Seconds between two calls.' },
        }),
      ),
      ...REFUSED_CLIENTS,
      429: {
        ...REFUSED,
        description: 'Too many sign-ins began at this address: `Retry-After` says when to come back.',
      },
    },
  });

const token = (): Operation =>
  operation('exchangeToken', 'Exchange a code, renew tokens, or get a token for the application itself', {
    description:
      'A code lives a minute and works once. Each refresh token works once too: the answer has the next one. A code or refresh token that comes a second time ends all tokens of its sign-in.',
    requestBody: form(
      object(['grant_type'], {
        grant_type: {
          type: 'string',
          enum: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_CODE],
        },
        code: text('With `authorization_code`.', OPAQUE),
        redirect_uri: text('With `authorization_code`: as it was asked with.', 'https://app.example/callback'),
        code_verifier: text('With `authorization_code`, when a challenge was sent.', OPAQUE),
        device_code: text(
          `With \`${DEVICE_CODE}\`: \`authorization_pending\` until the member has decided, \`slow_down\` if it comes too soon.`,
        ),
        refresh_token: text('With `refresh_token`.', OPAQUE),
        scope: text(
          `With \`refresh_token\`: fewer scopes than were granted. With \`client_credentials\`: of ${OWN_SCOPES.join(', ')}; all of them when absent.`,
        ),
        ...CLIENT,
      }),
    ),
    responses: {
      200: json(
        'The tokens.',
        object(['access_token', 'token_type', 'expires_in'], {
          access_token: text('For `Authorization: Bearer`; an hour.', OPAQUE),
          token_type: { type: 'string', enum: ['Bearer'] },
          expires_in: { type: 'integer', description: 'Seconds that the access token lives.' },
          refresh_token: text('For the next renewal, once; thirty days. None with `client_credentials`.', OPAQUE),
          id_token: text('A signed JWT that says who the member is; with scope `openid`.'),
          scope: text('What was granted, which may be less than was asked for.'),
        }),
      ),
      ...REFUSED_CLIENTS,
      429: { ...REFUSED, description: 'Too many requests: `Retry-After` says when to come back.' },
    },
  });

const userinfo = (method: 'get' | 'post'): Operation =>
  operation(method === 'get' ? 'getUserinfo' : 'postUserinfo', 'Who the member is, as far as the scopes allow', {
    security: BEARER,
    responses: {
      200: json(
        'The claims of the granted scopes.',
        object(['sub'], {
          sub: text("The member's id."),
          name: text('Scope profile.'),
          picture: text('Scope profile: an address.'),
          bio: text('Scope profile.'),
          rating: { type: 'number', description: 'Scope profile: 0.00 to 9.99.' },
          email: text('Scope email.', 'ada@example.com'),
          email_verified: {
            type: 'boolean',
            description: 'Scope email: whether the member has confirmed the address.',
          },
        }),
      ),
      401: { ...REFUSED, description: 'The token is unknown, expired or revoked.' },
      403: { ...REFUSED, description: 'The token lacks the scope openid.' },
    },
  });

const revoke = (): Operation =>
  operation('revokeToken', 'End a token, and with it all tokens of its sign-in (RFC 7009)', {
    requestBody: form(
      object(['token'], {
        token: text('An access or refresh token.', OPAQUE),
        token_type_hint: text('`access_token` or `refresh_token`.', 'refresh_token'),
        ...CLIENT,
      }),
    ),
    responses: {
      200: { description: 'It is worth nothing now, or was worth nothing before.' },
      ...REFUSED_CLIENTS,
    },
  });

const introspect = (): Operation =>
  operation('introspectToken', 'Whether an own token is still worth something (RFC 7662)', {
    requestBody: form(object(['token'], { token: text('An access or refresh token.', OPAQUE), ...CLIENT })),
    responses: {
      200: json(
        "What it is worth; `active: false` alone for unknown, ended and other applications' tokens.",
        object(['active'], {
          active: { type: 'boolean' },
          sub: text("The member's id."),
          client_id: text('The application.'),
          scope: text('What was granted.'),
          exp: { type: 'integer', description: 'When it ends, in seconds since 1970.' },
          iat: { type: 'integer', description: 'When it was made.' },
          iss: text('This server.'),
          token_type: text('`Bearer`, of access tokens.', 'Bearer'),
        }),
      ),
      ...REFUSED_CLIENTS,
    },
  });

const jwks = (): Operation =>
  operation('listSigningKeys', 'The public keys that verify id tokens', {
    responses: {
      200: json(
        'A JSON Web Key Set. Keys change by the quarter: look again when a key id is unknown.',
        object(['keys'], { keys: { type: 'array', items: { type: 'object', additionalProperties: true } } }),
      ),
    },
  });

const discovery = (): Operation =>
  operation('discoverProvider', 'What this OpenID Provider offers, and where', {
    responses: {
      200: json(
        'OpenID Connect Discovery 1.0 metadata.',
        object(['issuer'], {
          issuer: text('This server.'),
          authorization_endpoint: text('`/oauth/authorize`'),
          token_endpoint: text('`/oauth/token`'),
          userinfo_endpoint: text('`/oauth/userinfo`'),
          jwks_uri: text('`/oauth/jwks`'),
        }),
      ),
    },
  });

/** Adds the protocol's calls to the document. */
export function describeProvider(document: OpenAPIObject): OpenAPIObject {
  return { ...document, paths: { ...document.paths, ...paths() } };
}
