import { isAppLink, isCarried } from '@app/domain';
import { readScopes, type Scope } from '../scopes';

/** The scopes if the application names none (rule oauth-9). */
const DEFAULT_SCOPE = 'openid profile';

/** An application's request, as it stands in the address of the consent screen. */
export interface ConsentRequest {
  clientId: string;
  redirectUri: string;
  /** The parameter unchanged, or its default. */
  scope: string;
  /** Its known scopes, which always include `openid`. */
  scopes: Scope[];
  /** Parameters that go back unchanged with the decision, in case the request starts again. */
  carried: Readonly<Record<string, string>>;
  /** Whether the member must sign in again before they decide. */
  signInAgain: boolean;
}

/** `login`: an earlier sign-in is not enough. */
export const PROMPT = 'prompt';

/** Reads the parameters of rule oauth-9; null if a required one is missing. */
export function readConsentRequest(parameters: URLSearchParams): ConsentRequest | null {
  const clientId = parameters.get('client_id') ?? '';
  const redirectUri = parameters.get('redirect_uri') ?? '';
  if (clientId === '' || redirectUri === '') return null;
  const scope = parameters.get('scope')?.trim() || DEFAULT_SCOPE;
  return {
    clientId,
    redirectUri,
    scope,
    scopes: readScopes(`openid ${scope}`),
    carried: Object.fromEntries([...parameters].filter(([name]) => isCarried(name))),
    signInAgain: parameters.get(PROMPT) === 'login',
  };
}

/**
 * Where the browser goes after the decision, for people: the host, the scheme of a program, or the text itself if it is
 * no address.
 */
export function destinationOf(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return redirectUri;
  const { protocol, host } = new URL(redirectUri);
  return isAppLink(redirectUri) ? protocol.slice(0, -1) : host;
}
