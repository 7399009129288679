import { isCarried } from '@app/domain';
import { readScopes, type Scope } from '../scopes';

/** What is asked for when the application names no scope (rule oauth-9). */
const DEFAULT_SCOPE = 'openid profile';

/** What an application asks for, as it stands in the address of the consent screen. */
export interface ConsentRequest {
  clientId: string;
  redirectUri: string;
  /** The parameter as it came, or its default. */
  scope: string;
  /** The known ones of it; `openid` always is one. */
  scopes: Scope[];
  /** What goes back with the decision as it came, in case the request starts again. */
  carried: Readonly<Record<string, string>>;
  /** The member signs in anew before they decide. */
  signInAgain: boolean;
}

/** `login`: a sign-in from before does not do. */
export const PROMPT = 'prompt';

/** Reads the parameters of rule oauth-9; null when one of those that must be there is missing. */
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

/** Where the browser goes after the decision, for people: the host, or the text itself when it is no address. */
export const destinationOf = (redirectUri: string): string =>
  URL.canParse(redirectUri) ? new URL(redirectUri).host : redirectUri;
