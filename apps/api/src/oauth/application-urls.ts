import { isAppLink, isWebsite } from '@app/domain';
import { AppError } from '../platform/errors/app-error.js';
import { isPlainText } from '../platform/text.js';
import { URL_MAX } from './limits.js';

/** The address of a page or picture that people are sent to. */
export const isPublicUrl = (text: string): boolean => isPlainText(text, { max: URL_MAX }) && isWebsite(text);

/**
 * Any program can register the same scheme, so only applications that have no secret, and prove themselves by PKCE, may
 * use one (RFC 8252 §8.6).
 * @throws AppError 400 `INVALID_REDIRECT_URI`
 */
export function refuseAppLinks(redirectUris: readonly string[], isPublic: boolean): void {
  if (isPublic || !redirectUris.some(isAppLink)) return;
  const message = 'Only a public application may have a redirect URI with a scheme of its own.';
  throw new AppError(400, 'INVALID_REDIRECT_URI', message, { extra: { fields: { redirectUris: [message] } } });
}
