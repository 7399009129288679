import { isWebsite } from '@app/domain';
import { isPlainText } from '../platform/text.js';
import { URL_MAX } from './limits.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** Written as addresses are: printable ASCII without backslashes, which browsers take for slashes. */
const ADDRESS = /^https?:\/\/(?!\/)[!-[\]-~]+$/i;

/**
 * Where a browser may be sent with a code: absolute, without a fragment, https, or http on the machine itself
 * (`decisions.md`, OAuth). It is compared letter by letter afterwards.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > URL_MAX || !ADDRESS.test(text) || text.includes('#') || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (hostname === '' || username !== '' || password !== '') return false;
  return protocol === 'https:' || LOOPBACK.test(hostname);
}

/** A page or picture that people are led to. */
export const isPublicUrl = (text: string): boolean => isPlainText(text, { max: URL_MAX }) && isWebsite(text);
