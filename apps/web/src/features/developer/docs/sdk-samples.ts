import type { SampleContext } from './samples.js';

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

const MEMBER = 'nova.member(process.env.NOVA_ACCESS_TOKEN)';
const KEY = '// One key a purchase: sending it again with the same key never charges twice.';

/**
 * One call with the TypeScript SDK (`@nova/sdk`); undefined where it has none.
 * @param path of the call, or the name of the other body of the token call
 * @param body as code; empty where the call has none
 */
export function sdkSample(path: string, context: SampleContext, body: string): string | undefined {
  const lines = callLines(path, context, body);
  return lines && [...clientLines(context), ...lines].join('\n');
}

const clientLines = ({ origin, clientId, isPublic }: SampleContext): string[] => [
  "import { NovaApplication } from '@nova/sdk';",
  '',
  'const nova = new NovaApplication({',
  `  origin: ${quoted(origin)},`,
  `  clientId: ${quoted(clientId)},`,
  ...(isPublic ? [] : ['  clientSecret: process.env.NOVA_CLIENT_SECRET,']),
  '});',
];

const shown = (expression: string): string[] => [
  `const answer = await ${expression};`,
  'console.log(JSON.stringify(answer));',
];

const command = (method: string, of: string, body: string): string[] => [
  KEY,
  ...shown(`${of}.${method}(${body}, { idempotencyKey: crypto.randomUUID() })`),
];

function callLines(path: string, { redirectUri, scope, isPublic }: SampleContext, body: string): string[] | undefined {
  const own = (lines: string[]): string[] | undefined => (isPublic ? undefined : lines);
  switch (path) {
    case '/oauth/authorize':
      return [
        '// Keep state and codeVerifier with the visit: the answer must bring the state back, the exchange needs the verifier.',
        'const { url, state, codeVerifier } = await nova.authorization({',
        `  redirectUri: ${quoted(redirectUri)},`,
        `  scopes: [${scope.split(' ').map(quoted).join(', ')}],`,
        '});',
        'console.error(`NOVA_CODE_VERIFIER=${codeVerifier}`);',
        'console.log(url);',
      ];
    case '/oauth/token':
      return shown(
        `nova.exchange({\n  code: process.env.NOVA_CODE,\n  redirectUri: ${quoted(redirectUri)},\n  codeVerifier: process.env.NOVA_CODE_VERIFIER,\n})`,
      );
    case '/oauth/token (refresh)':
      return shown('nova.refresh(process.env.NOVA_REFRESH_TOKEN)');
    case '/oauth/revoke':
      return ['await nova.revoke(process.env.NOVA_ACCESS_TOKEN);'];
    case '/oauth/userinfo':
      return shown(`${MEMBER}.userinfo()`);
    case '/api/oauth/token-balances':
      return shown(`${MEMBER}.balances()`);
    case '/api/tokens/spend':
    case '/api/tokens/earn':
    case '/api/tokens/transfer':
      return command(path.slice('/api/tokens/'.length), MEMBER, body);
    case '/api/tokens/transactions':
      return [
        `for await (const transaction of ${MEMBER}.transactions()) {`,
        '  console.log(JSON.stringify(transaction));',
        '}',
      ];
    case '/api/tokens/earn/bulk':
      return own(command('earnInBulk', 'nova', body.replace(/^\{ items: (.*) \}$/, '$1')));
    case '/api/tokens/wallet':
      return own(shown('nova.wallet()'));
    case '/api/tokens/wallet/statement':
      return own(['for await (const entry of nova.walletEntries()) {', '  console.log(JSON.stringify(entry));', '}']);
    default:
      return undefined;
  }
}
