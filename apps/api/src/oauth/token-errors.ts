import type { OwnScope } from './own-scopes.js';
import type { Scope } from './scopes.js';
import { AppError } from '../platform/errors/app-error.js';

/** RFC 6750 §3.1: the request carried no credentials, so the challenge names no error. */
export const missingToken = (): AppError =>
  new AppError(401, 'INVALID_TOKEN', 'This call needs an access token: Authorization: Bearer {token}.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

export const invalidToken = (): AppError =>
  new AppError(401, 'INVALID_TOKEN', 'The access token is unknown, has expired or was revoked.', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });

/** @param scopes any one of which would be enough */
export const insufficientScope = (scopes: readonly (Scope | OwnScope)[]): AppError =>
  new AppError(403, 'INSUFFICIENT_SCOPE', `This access token is not for: ${scopes.join(' or ')}.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"` },
  });

/** The same answer whatever is wrong. */
export const invalidClient = (): AppError =>
  new AppError(
    401,
    'INVALID_CLIENT',
    'This call needs the client id and secret of an application as Basic, or a token of its own.',
    {
      headers: { 'www-authenticate': 'Basic realm="Nova"' },
    },
  );
