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
 * machine itself (rule oauth-4).
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > URL_MAX || !ADDRESS.test(text) || text.includes('#') || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (hostname === '' || username !== '' || password !== '') return false;
  return protocol === 'https:' || LOOPBACK.test(hostname);
}

/**
 * A scheme with a dot, as of a reversed domain name, that a program on the member's machine has registered (RFC 8252
 * §7.1). Schemes without one belong to browsers (`javascript:`) or to anybody.
 */
const APP_LINK = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:\/{1,2}[!-"$-[\]-~]+$/;

/**
 * Whether a public application may have a browser open its program at this address: a scheme with a dot, without a user
 * name or a fragment (rule oauth-4).
 */
export function isAppLink(text: string): boolean {
  if (text.length > URL_MAX || !APP_LINK.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** The machine itself, by number: a program there listens at whatever port is free (RFC 8252 §7.3). */
const LOOPBACK_NUMBER = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::[1-9]\d{0,4})?(?=[/?]|$)/;

/** Whether an application that registered these addresses may send a browser to this one (rule oauth-4). */
export function isRegistered(registered: readonly string[], text: string): boolean {
  if (registered.includes(text)) return true;
  if (!LOOPBACK_NUMBER.test(text) || !isRedirectUri(text)) return false;
  const withoutPort = (uri: string): string => uri.replace(LOOPBACK_NUMBER, '$1');
  return registered.some((each) => LOOPBACK_NUMBER.test(each) && withoutPort(each) === withoutPort(text));
}
