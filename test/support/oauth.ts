import { createHash, randomBytes } from 'node:crypto';
import { isCarried } from '@app/domain';
import type { TestAnswer, TestApi, TestBrowser, TestMember } from './api.js';

const REDIRECT_URI = 'https://app.example.com/callback';

export interface TestApplication {
  readonly clientId: string;
  /** Empty for a public application. */
  readonly clientSecret: string;
  readonly redirectUri: string;
}

export async function registerApplication(
  developer: TestMember,
  given: Record<string, unknown> = {},
): Promise<TestApplication> {
  const redirectUris = [REDIRECT_URI];
  const scopes = ['openid', 'profile', 'email', 'nova', 'karma', 'influence'];
  const application = { name: 'Nova Pocket', redirectUris, scopes, ...given };
  const answer = await developer.browser.post('/api/oauth/register-app', application);
  if (answer.status !== 201) throw new Error(`registering failed: ${answer.status} ${JSON.stringify(answer.body)}`);
  const { clientId, clientSecret } = answer.body;
  return { clientId, clientSecret: clientSecret ?? '', redirectUri: application.redirectUris[0] ?? '' };
}

/** A second one of a member's, signed in. */
export async function anotherBrowser(api: TestApi, { email, password }: TestMember): Promise<TestBrowser> {
  const browser = api.browser();
  const answer = await browser.post('/api/auth/signin', { email, password, tcConsent: true, tcVersion: '1.0' });
  if (answer.status !== 200) throw new Error(`signing in failed: ${answer.status} ${JSON.stringify(answer.body)}`);
  return browser;
}

/** What an application sends a browser to `/oauth/authorize` with. */
export const authorizationRequest = (
  { clientId, redirectUri }: TestApplication,
  parameters: Readonly<Record<string, string | undefined>> = {},
): URLSearchParams => {
  const all = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    state: 'a state of its own',
    ...parameters,
  };
  const request = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) request.set(name, value);
  return request;
};

export const authorize = (browser: TestBrowser, request: URLSearchParams): Promise<TestAnswer> =>
  browser.get(`/oauth/authorize?${request.toString()}`);

/** Where an answer sends the browser. */
export function location(answer: TestAnswer): URL {
  const target = answer.headers.get('location');
  if (target === null) throw new Error(`no redirect: ${answer.status} ${JSON.stringify(answer.body)}`);
  return new URL(target, 'http://nova.test');
}

export interface Decision {
  readonly scopes?: readonly string[];
  readonly approved?: boolean;
  readonly dailyLimit?: unknown;
}

/** Decides on the consent screen that a browser was sent to, as the screen does. */
export function decide(browser: TestBrowser, screen: URL, decision: Decision = {}): Promise<TestAnswer> {
  const { searchParams } = screen;
  return browser.post('/api/oauth/consent', {
    client_id: searchParams.get('client_id'),
    redirect_uri: searchParams.get('redirect_uri'),
    scopes: searchParams.get('scope')?.split(' ') ?? [],
    approved: true,
    ...Object.fromEntries([...searchParams].filter(([name]) => isCarried(name))),
    ...decision,
  });
}

/**
 * Goes from the application through the consent screen and back. Returns the address at which the application is
 * called.
 */
export async function giveConsent(
  browser: TestBrowser,
  request: URLSearchParams,
  decision: Decision = {},
): Promise<URL> {
  const first = location(await authorize(browser, request));
  if (first.pathname !== '/oauth/consent') return first;
  const { status, body } = await decide(browser, first, decision);
  if (status !== 200) throw new Error(`the decision was refused: ${status} ${JSON.stringify(body)}`);
  return location(await browser.get(body.redirect_url));
}

/** A verifier and its challenge (RFC 7636, S256). */
export function pkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Posts a form to one of the protocol's calls, as an application does: without a browser. */
export async function sendForm(
  api: Pick<TestApi, 'browser'>,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  const body = new URLSearchParams(fields).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return api.browser().send('POST', path, { body, headers: { ...type, ...headers } });
}

export const credentials = ({ clientId, clientSecret }: TestApplication): Record<string, string> =>
  clientSecret === '' ? { client_id: clientId } : { client_id: clientId, client_secret: clientSecret };

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

/** What an id token says, unverified. */
export const claimsOf = ({ id_token }: Tokens) =>
  JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString());

export const exchange = (
  api: Pick<TestApi, 'browser'>,
  application: TestApplication,
  fields: Readonly<Record<string, string>>,
): Promise<TestAnswer> =>
  sendForm(api, '/oauth/token', {
    grant_type: 'authorization_code',
    redirect_uri: application.redirectUri,
    ...credentials(application),
    ...fields,
  });

/** Signs a member in to an application with these scopes. Returns what the application gets. */
export async function tokensFor(
  api: Pick<TestApi, 'browser'>,
  member: TestMember,
  application: TestApplication,
  decision: Decision & { readonly scopes: readonly string[] },
): Promise<Tokens> {
  const { verifier, challenge } = pkce();
  const request = authorizationRequest(application, {
    scope: decision.scopes.join(' '),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    prompt: 'consent',
  });
  const back = await giveConsent(member.browser, request, decision);
  const code = back.searchParams.get('code') ?? '';
  const answer = await exchange(api, application, { code, code_verifier: verifier });
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
