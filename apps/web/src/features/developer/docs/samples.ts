// With its file ending, which the tests that run the samples need.
import type { ApiCall } from './open-api.js';
import { sdkSample } from './sdk-samples.js';

/** What the samples are made for: this server and the chosen application. */
export interface SampleContext {
  origin: string;
  clientId: string;
  redirectUri: string;
  /** Space-separated. */
  scope: string;
  /** The application has no secret: it always proves itself by PKCE, as pages do. */
  isPublic: boolean;
}

export const LANGUAGES = ['curl', 'SDK', 'Browser', 'Node'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Sample {
  language: Language;
  code: string;
}

/** The parts of a call that its samples need. */
export type SampledCall = Pick<ApiCall, 'method' | 'path' | 'parameters' | 'body'>;

/** Values that only the person who runs the sample has. */
type Secret = 'token' | 'code' | 'secret' | 'verifier' | 'refresh';
type Value = string | number | { secret: Secret };

/** Stands for a member whom the reader chooses. */
export const SAMPLE_RECIPIENT = '01900000-0000-7000-8000-000000000000';

/** The value of a field in a sample if the document gives no example. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  description: 'A cup of coffee',
  recipientId: SAMPLE_RECIPIENT,
  limit: 20,
  items: [{ userId: SAMPLE_RECIPIENT, amount: 25, description: 'A prize' }],
};
/** A transfer is a gift, and a gift is at least 1,000 Nova (rule gifts-1). */
const AMOUNTS: Readonly<Record<string, number>> = { '/api/tokens/transfer': 1_000 };
const AMOUNT = 25;

/** Samples of one call that run as they are, with the secrets in the environment (rule oauth-6). */
export function samplesOf(call: SampledCall, context: SampleContext): Sample[] {
  const json = jsonOf(call);
  const sdk = sdkSample(call.path, context, json === null ? '' : objectText(json));
  return LANGUAGES.flatMap((language) => {
    const code = language === 'SDK' ? sdk : sampleOf(call, context, language);
    return code === undefined ? [] : { language, code };
  });
}

function sampleOf(call: SampledCall, context: SampleContext, language: Exclude<Language, 'SDK'>): string | undefined {
  if (call.path === '/oauth/authorize') return AUTHORIZATION[language](context);
  const isKept = language !== 'Browser' || (!isOwn(call) && (context.isPublic || !needsSecret(call)));
  if (!isKept || (isOwn(call) && context.isPublic)) return undefined;
  return language === 'curl' ? curlSample(call, context) : fetchSample(call, context, language);
}

/** Samples that renew an access token: the same call as the exchange, with other values. */
export function refreshSamples(call: SampledCall, context: SampleContext): Sample[] {
  return samplesOf({ ...call, path: REFRESH }, context);
}

/** Not a path, but the name under which the other body of the token call is found. */
const REFRESH = '/oauth/token (refresh)';

/** Only for applications that have a secret: a page has nowhere to keep one. */
const needsSecret = ({ path }: SampledCall): boolean => path === '/oauth/introspect';

/** For the application itself, which proves itself by its id and secret. */
const isOwn = ({ path }: SampledCall): boolean => /^\/api\/tokens\/(?:wallet|earn\/bulk)/.test(path);

const isBearer = (call: SampledCall): boolean =>
  !isOwn(call) && (call.path.startsWith('/api/') || call.path === '/oauth/userinfo');

const takesKey = ({ parameters }: SampledCall): boolean =>
  parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key');

function addressOf({ path, parameters }: SampledCall, { origin }: SampleContext): string {
  const query = parameters.some(({ name, place }) => place === 'query' && name === 'limit') ? '?limit=20' : '';
  return `${origin}${path === REFRESH ? '/oauth/token' : path}${query}`;
}

/**
 * The form of the protocol's own calls: pages and public applications prove themselves by PKCE, servers by their
 * secret.
 */
function formOf({ path }: SampledCall, context: SampleContext, language: Language): [string, Value][] | null {
  const isOpen = context.isPublic || language === 'Browser';
  const proof: [string, Value][] = isOpen ? [] : [['client_secret', { secret: 'secret' }]];
  switch (path) {
    case '/oauth/token':
      return [
        ['grant_type', 'authorization_code'],
        ['code', { secret: 'code' }],
        ['redirect_uri', context.redirectUri],
        ['client_id', context.clientId],
        ...(isOpen ? [['code_verifier', { secret: 'verifier' }] satisfies [string, Value]] : proof),
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
    ...(isOwn(call) ? [`--user ${shell(`${context.clientId}:`)}"$NOVA_CLIENT_SECRET"`] : []),
    ...(takesKey(call) ? ["--header 'idempotency-key: order-1234'"] : []),
    ...(form ?? []).map(([name, value]) => `--data-urlencode ${shellPair(name, value)}`),
    ...(json === null ? [] : ["--header 'content-type: application/json'", `--data ${shell(JSON.stringify(json))}`]),
    ...(call.method === 'POST' && form === null && json === null ? ['--request POST'] : []),
  ];
  return [`curl --fail-with-body ${shell(addressOf(call, context))}`, ...options].join(' \\\n  ');
}

const shellPair = (name: string, value: Value): string =>
  typeof value === 'object' ? `"${name}=$${ENVIRONMENT[value.secret]}"` : shell(`${name}=${value}`);

/** Where a page keeps what a server keeps in its environment. */
const IN_BROWSER: Record<Secret, string> = {
  token: "sessionStorage.getItem('nova_access_token')",
  code: "new URLSearchParams(location.search).get('code')",
  secret: "''",
  verifier: "sessionStorage.getItem('nova_code_verifier')",
  refresh: "sessionStorage.getItem('nova_refresh_token')",
};

const FOR_PAGES = '// Only public applications sign in from a page: it proves itself with PKCE.';

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
    ...(isOwn(call)
      ? [`authorization: \`Basic \${btoa(\`\${${quoted(context.clientId)}}:\${process.env.NOVA_CLIENT_SECRET}\`)}\`,`]
      : []),
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
    ...(language === 'Browser' && form !== null ? [FOR_PAGES] : []),
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

/** Where the member's browser is sent: an address, not a call. It ends with the challenge, if there is one. */
export function authorizationUrl(context: SampleContext, state: string, codeChallenge?: string): string {
  const url = new URL('/oauth/authorize', context.origin);
  const parameters = {
    client_id: context.clientId,
    redirect_uri: context.redirectUri,
    response_type: 'code',
    scope: context.scope,
    state,
    ...(codeChallenge === undefined ? {} : { code_challenge_method: 'S256', code_challenge: codeChallenge }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const AUTHORIZATION: Readonly<Record<Exclude<Language, 'SDK'>, (context: SampleContext) => string>> = {
  curl: curlAuthorization,
  Browser: (context) => pageAuthorization(context).join('\n'),
  Node: (context) => [...nodeAuthorization(context), 'console.log(url.href);'].join('\n'),
};

/** The address as code, with a state and the lines in `more`. */
function urlLines({ origin, clientId, redirectUri, scope }: SampleContext, more: readonly string[]): string[] {
  const parameters = [
    `client_id: ${quoted(clientId)},`,
    `redirect_uri: ${quoted(redirectUri)},`,
    "response_type: 'code',",
    `scope: ${quoted(scope)},`,
    'state,',
    ...more,
  ];
  const address = quoted(`${origin}/oauth/authorize`);
  return [`const url = new URL(${address});`, 'url.search = new URLSearchParams({', ...parameters.map(indented), '});'];
}

const HASH = "const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));";
const METHOD = "code_challenge_method: 'S256',";

const pageAuthorization = (context: SampleContext): string[] => [
  FOR_PAGES,
  "const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=/g, '');",
  'const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));',
  'const state = random();',
  'const verifier = random();',
  HASH,
  "sessionStorage.setItem('nova_state', state);",
  "sessionStorage.setItem('nova_code_verifier', verifier);",
  ...urlLines(context, ['code_challenge: base64url(new Uint8Array(hash)),', METHOD]),
  'location.assign(url);',
];

const nodeAuthorization = (context: SampleContext): string[] =>
  context.isPublic
    ? [
        '// Keep both with the sign-in: the answer must bring the state back, the exchange needs the verifier.',
        'const state = crypto.randomUUID();',
        "const verifier = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');",
        HASH,
        'console.error(`NOVA_CODE_VERIFIER=${verifier}`);',
        ...urlLines(context, ["code_challenge: Buffer.from(hash).toString('base64url'),", METHOD]),
      ]
    : [
        '// Keep the state in the session of your visitor: the answer must bring it back.',
        'const state = crypto.randomUUID();',
        ...urlLines(context, []),
      ];

function curlAuthorization(context: SampleContext): string {
  const state = 'a-random-state';
  const curl = 'curl --silent --include';
  if (!context.isPublic) return `${curl} ${shell(authorizationUrl(context, state))}`;
  return [
    '# The sample of the exchange takes the verifier from this shell.',
    'NOVA_CODE_VERIFIER=$(openssl rand -hex 32)',
    'HASH=$(printf %s "$NOVA_CODE_VERIFIER" | openssl dgst -sha256 -binary | openssl base64 -A)',
    `CHALLENGE=$(printf %s "$HASH" | tr '+/' '-_' | tr -d '=')`,
    `${curl} ${shell(authorizationUrl(context, state, ''))}"$CHALLENGE"`,
  ].join('\n');
}
