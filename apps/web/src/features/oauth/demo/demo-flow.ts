import { authorizationUrl, samplesOf, type SampleContext } from '@/features/developer/docs/samples';

/** The demo's initial redirect URI (rule oauth-20). */
export const DEMO_REDIRECT_URI = 'https://your-app.example/callback';
export const DEMO_SCOPES = 'openid profile nova';
/** The same for everybody, because the demo compares nothing (rule oauth-20). A real application makes a random one. */
export const DEMO_STATE = 'demo_state_12345';

export interface DemoDraft {
  clientId: string;
  redirectUri: string;
  scopes: string;
}

/** Both are required (rule oauth-20). */
export const MISSING = {
  title: 'Missing Information',
  description: 'Please enter Client ID and Redirect URI',
} as const;

export const contextOf = (
  { clientId, redirectUri, scopes }: DemoDraft,
  origin: string,
  isPublic: boolean,
): SampleContext => ({
  origin,
  clientId: clientId.trim(),
  redirectUri: redirectUri.trim(),
  scope: scopes.trim(),
  isPublic,
});

export const isFilled = ({ clientId, redirectUri }: DemoDraft): boolean =>
  clientId.trim() !== '' && redirectUri.trim() !== '';

/** The address that starts the flow. */
export const demoUrl = (draft: DemoDraft, origin: string, codeChallenge?: string): string =>
  authorizationUrl(contextOf(draft, origin, codeChallenge !== undefined), DEMO_STATE, codeChallenge);

const TOKEN_CALL = { method: 'POST', path: '/oauth/token', parameters: [], body: null };

/** The token request as it would be sent, with the pasted code. */
export function exampleTokenRequest(context: SampleContext, code: string, verifier: string | null): string {
  const curl = samplesOf(TOKEN_CALL, context).find(({ language }) => language === 'curl')?.code ?? '';
  const withCode = code === '' ? curl : curl.replace('"code=$NOVA_CODE"', shellQuoted(`code=${code}`));
  return verifier === null
    ? withCode
    : withCode.replace('"code_verifier=$NOVA_CODE_VERIFIER"', shellQuoted(`code_verifier=${verifier}`));
}

// Returns a function, because a replacement text would treat `$` as a pattern.
const shellQuoted = (text: string) => (): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
