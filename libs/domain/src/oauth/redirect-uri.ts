/** Characters of an address that an application has, or that its members come back to. */
export const URL_MAX = 2_000;
/** Limits of an application's description, in characters, and of the number of its redirect addresses. */
export const APPLICATION_NAME_MAX = 100;
export const APPLICATION_DESCRIPTION_MAX = 500;
export const REDIRECT_URIS_MAX = 10;
/** The most Nova per UTC day that a member can allow an application. */
export const DAILY_LIMIT_NOVA_MAX = 1_000_000;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** Written as addresses are: printable ASCII without backslashes, which browsers take for slashes. */
const ADDRESS = /^https?:\/\/(?!\/)[!-[\]-~]+$/i;

/**
 * Whether a browser may be sent to this address with a code: absolute, without a fragment, https, or http on the
 * machine itself (rule oauth-4). Later it is compared letter by letter.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > URL_MAX || !ADDRESS.test(text) || text.includes('#') || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (hostname === '' || username !== '' || password !== '') return false;
  return protocol === 'https:' || LOOPBACK.test(hostname);
}
