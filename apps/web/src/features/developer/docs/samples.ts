// With its ending, as the tests that run the samples need it.
import type { ApiCall } from './open-api.js';

/** What the samples are made for: this server, and the application that was chosen. */
export interface SampleContext {
  origin: string;
  clientId: string;
  redirectUri: string;
  /** Space-separated. */
  scope: string;
}

export const LANGUAGES = ['curl', 'Browser', 'Node'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Sample {
  language: Language;
  code: string;
}

/** A call, as far as its samples need it. */
export type SampledCall = Pick<ApiCall, 'method' | 'path' | 'parameters' | 'body'>;

/** What only whoever runs the sample has. */
type Secret = 'token' | 'code' | 'secret' | 'verifier' | 'refresh';
type Value = string | number | { secret: Secret };

/** Stands for a member of one's own choice. */
export const SAMPLE_RECIPIENT = '01900000-0000-7000-8000-000000000000';

/** What a field has in a sample when the document gives no example. */
const EXAMPLES: Readonly<Record<string, string | number>> = {
  description: 'A cup of coffee',
  recipientId: SAMPLE_RECIPIENT,
  limit: 20,
};
/** A transfer is a gift, and a gift has at least 1,000 Nova (S1 §9). */
const AMOUNTS: Readonly<Record<string, number>> = { '/api/tokens/transfer': 1_000 };
const AMOUNT = 25;

/** Samples of one call that run as they are, with the secrets in the environment (S1 §2.10, §2.12). */
export function samplesOf(call: SampledCall, context: SampleContext): Sample[] {
  if (call.path === '/oauth/authorize') return authorizeSamples(context);
  return LANGUAGES.filter((language) => language !== 'Browser' || !needsSecret(call)).map((language) => ({
    language,
    code: language === 'curl' ? curlSample(call, context) : fetchSample(call, context, language),
  }));
}

/** How an access token is renewed: the same call as the exchange, with other values. */
export function refreshSamples(call: SampledCall, context: SampleContext): Sample[] {
  return samplesOf({ ...call, path: REFRESH }, context);
}

/** Not a path: the name under which the token call's other body is found. */
const REFRESH = '/oauth/token (refresh)';

/** A page has nowhere to keep the secret that introspection asks for. */
const needsSecret = ({ path }: SampledCall): boolean => path === '/oauth/introspect';

const isBearer = ({ path }: SampledCall): boolean => path.startsWith('/api/') || path === '/oauth/userinfo';

const takesKey = ({ parameters }: SampledCall): boolean =>
  parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key');

function addressOf({ path, parameters }: SampledCall, { origin }: SampleContext): string {
  const query = parameters.some(({ name, place }) => place === 'query' && name === 'limit') ? '?limit=20' : '';
  return `${origin}${path === REFRESH ? '/oauth/token' : path}${query}`;
}

/** The form of the protocol's own calls: a page proves itself by PKCE, a server by its secret. */
function formOf({ path }: SampledCall, context: SampleContext, language: Language): [string, Value][] | null {
  const proof: [string, Value][] = language === 'Browser' ? [] : [['client_secret', { secret: 'secret' }]];
  switch (path) {
    case '/oauth/token':
      return [
        ['grant_type', 'authorization_code'],
        ['code', { secret: 'code' }],
        ['redirect_uri', context.redirectUri],
        ['client_id', context.clientId],
        ...(language === 'Browser' ? [['code_verifier', { secret: 'verifier' }] satisfies [string, Value]] : proof),
      ];
    case REFRESH:
      return [
        ['grant_type', 'refresh_token'],
        ['refresh_token', { secret: 'refresh' }],
        ['client_id', context.clientId],
        ...proof,
      ];
    case '/oauth/revoke':
    case '/oauth/introspect':
      return [['token', { secret: 'token' }], ['client_id', context.clientId], ...proof];
    default:
      return null;
  }
}

function jsonOf({ path, body }: SampledCall): Record<string, unknown> | null {
  if (body === null || !path.startsWith('/api/')) return null;
  const valueOf = (name: string, example: unknown): unknown =>
    example ?? (name === 'amount' ? (AMOUNTS[path] ?? AMOUNT) : (EXAMPLES[name] ?? ''));
  return Object.fromEntries(
    body.fields.filter(({ name }) => !/[.[]/.test(name)).map(({ name, example }) => [name, valueOf(name, example)]),
  );
}

const ENVIRONMENT: Record<Secret, string> = {
  token: 'NOVA_ACCESS_TOKEN',
  code: 'NOVA_CODE',
  secret: 'NOVA_CLIENT_SECRET',
  verifier: 'NOVA_CODE_VERIFIER',
  refresh: 'NOVA_REFRESH_TOKEN',
};

const shell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curlSample(call: SampledCall, context: SampleContext): string {
  const form = formOf(call, context, 'curl');
  const json = jsonOf(call);
  const options = [
    ...(isBearer(call) ? ['--header "authorization: Bearer $NOVA_ACCESS_TOKEN"'] : []),
    ...(takesKey(call) ? ["--header 'idempotency-key: order-1234'"] : []),
    ...(form ?? []).map(([name, value]) => `--data-urlencode ${shellPair(name, value)}`),
    ...(json === null ? [] : ["--header 'content-type: application/json'", `--data ${shell(JSON.stringify(json))}`]),
    ...(call.method === 'POST' && form === null && json === null ? ['--request POST'] : []),
  ];
  return [`curl --fail-with-body ${shell(addressOf(call, context))}`, ...options].join(' \\\n  ');
}

const shellPair = (name: string, value: Value): string =>
  typeof value === 'object' ? `"${name}=$${ENVIRONMENT[value.secret]}"` : shell(`${name}=${value}`);

/** Where a page keeps what a server has in its environment. */
const IN_BROWSER: Record<Secret, string> = {
  token: "sessionStorage.getItem('nova_access_token')",
  code: "new URLSearchParams(location.search).get('code')",
  secret: "''",
  verifier: "sessionStorage.getItem('nova_code_verifier')",
  refresh: "sessionStorage.getItem('nova_refresh_token')",
};

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

const secretOf = (language: Language, secret: Secret): string =>
  language === 'Browser' ? IN_BROWSER[secret] : `process.env.${ENVIRONMENT[secret]}`;

function expressionOf(language: Language, value: Value): string {
  if (typeof value === 'object') return secretOf(language, value.secret);
  return typeof value === 'number' ? String(value) : quoted(value);
}

function fetchSample(call: SampledCall, context: SampleContext, language: Language): string {
  const form = formOf(call, context, language);
  const json = jsonOf(call);
  const headers = [
    ...(isBearer(call) ? [`authorization: \`Bearer \${${secretOf(language, 'token')}}\`,`] : []),
    ...(json === null ? [] : ["'content-type': 'application/json',"]),
    ...(takesKey(call)
      ? [
          '// One key a purchase: sending it again with the same key never charges twice.',
          "'idempotency-key': crypto.randomUUID(),",
        ]
      : []),
  ];
  const options = [
    ...(call.method === 'GET' ? [] : [`method: '${call.method}',`]),
    ...(headers.length === 0 ? [] : ['headers: {', ...headers.map(indented), '},']),
    ...(json === null ? [] : [`body: JSON.stringify(${objectText(json)}),`]),
    ...(form === null
      ? []
      : [
          'body: new URLSearchParams({',
          ...form.map(([name, value]) => indented(`${name}: ${expressionOf(language, value)},`)),
          '}),',
        ]),
  ];
  const address = quoted(addressOf(call, context));
  const request =
    options.length === 0
      ? [`const answer = await fetch(${address});`]
      : [`const answer = await fetch(${address}, {`, ...options.map(indented), '});'];
  return [
    ...request,
    'if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);',
    'console.log(await answer.text());',
  ].join('\n');
}

const indented = (line: string): string => `  ${line}`;

const objectText = (json: Record<string, unknown>): string =>
  `{ ${Object.entries(json)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`)
    .join(', ')} }`;

/** Where the member's browser is sent: an address, not a call. */
export function authorizationUrl(context: SampleContext, state: string, codeChallenge?: string): string {
  const url = new URL('/oauth/authorize', context.origin);
  const parameters = {
    client_id: context.clientId,
    redirect_uri: context.redirectUri,
    response_type: 'code',
    scope: context.scope,
    state,
    ...(codeChallenge === undefined ? {} : { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function authorizeSamples(context: SampleContext): Sample[] {
  const parameters = [
    `client_id: ${quoted(context.clientId)},`,
    `redirect_uri: ${quoted(context.redirectUri)},`,
    "response_type: 'code',",
    `scope: ${quoted(context.scope)},`,
    'state,',
  ];
  const address = quoted(`${context.origin}/oauth/authorize`);
  const url = (more: string[]): string[] => [
    `const url = new URL(${address});`,
    'url.search = new URLSearchParams({',
    ...[...parameters, ...more].map(indented),
    '});',
  ];
  return [
    {
      language: 'curl',
      code: `curl --silent --include ${shell(authorizationUrl(context, 'a-random-state'))}`,
    },
    {
      language: 'Browser',
      code: [
        '// A page has no secret: it proves itself with PKCE.',
        "const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=/g, '');",
        'const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));',
        'const state = random();',
        'const verifier = random();',
        "const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));",
        "sessionStorage.setItem('nova_state', state);",
        "sessionStorage.setItem('nova_code_verifier', verifier);",
        ...url(['code_challenge: base64url(new Uint8Array(hash)),', "code_challenge_method: 'S256',"]),
        'location.assign(url);',
      ].join('\n'),
    },
    {
      language: 'Node',
      code: [
        '// Keep the state in the session of your visitor: the answer must bring it back.',
        'const state = crypto.randomUUID();',
        ...url([]),
        'console.log(url.href);',
      ].join('\n'),
    },
  ];
}
