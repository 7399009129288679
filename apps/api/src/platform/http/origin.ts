import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Callers there prove themselves by a signature, a key or a token; what the OAuth provider does by cookie it does for a GET too. */
const EXEMPT = ['/api/webhooks/', '/api/tokens/', '/sandbox/', '/oauth/'];

/**
 * Refuses what another site makes a browser send with our cookies (`decisions.md`, General). Requests without `Origin`
 * and `Sec-Fetch-Site` do not come from a page.
 * @throws AppError 403 `FOREIGN_ORIGIN`
 */
export function refuseForeignOrigin(request: FastifyRequest, publicOrigin: string): void {
  if (READS.has(request.method) || EXEMPT.some((prefix) => request.url.startsWith(prefix))) return;
  const { origin, host } = request.headers;
  if (origin === undefined ? isSameSite(request.headers['sec-fetch-site']) : isOurOrigin(origin, publicOrigin, host))
    return;
  throw new AppError(403, 'FOREIGN_ORIGIN', 'This request comes from another site and was refused.');
}

const isSameSite = (site: string | string[] | undefined): boolean =>
  site === undefined || site === 'same-origin' || site === 'none';

/** Our public address, or whatever address the browser reached us at. */
export function isOurOrigin(origin: string, publicOrigin: string, host: string | undefined): boolean {
  if (origin === publicOrigin) return true;
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
