import type { IncomingMessage } from 'node:http';
import proxyAddress, { compile } from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { AppError } from '../errors/app-error.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Callers there prove themselves by a signature, a key or a token; what the OAuth provider does by cookie it does for a GET too. */
const EXEMPT = ['/api/webhooks/', '/api/tokens/', '/sandbox/', '/oauth/'];

/**
 * Refuses what another site makes a browser send with our cookies (rule general-11). Requests without `Origin`
 * and `Sec-Fetch-Site` do not come from a page.
 * @throws AppError 403 `FOREIGN_ORIGIN`
 */
export function refuseForeignOrigin(request: FastifyRequest, publicOrigin: string): void {
  if (READS.has(request.method) || EXEMPT.some((prefix) => request.url.startsWith(prefix))) return;
  const { origin, host } = request.headers;
  const { protocol } = request;
  const isOurs =
    origin === undefined
      ? isSameSite(request.headers['sec-fetch-site'])
      : isOurOrigin(origin, publicOrigin, { host, protocol });
  if (isOurs) return;
  throw new AppError(403, 'FOREIGN_ORIGIN', 'This request comes from another site and was refused.');
}

const isSameSite = (site: string | string[] | undefined): boolean =>
  site === undefined || site === 'same-origin' || site === 'none';

/** Where a browser sent its request, as far as the server can tell. */
export interface Reached {
  readonly host: string | undefined;
  /** `http` or `https`: that of the connection, or what a trusted proxy says. */
  readonly protocol: string;
}

/**
 * Our public address, or whatever address the browser reached us at. The scheme counts: who is between a browser and us can make
 * it show any page as `http://` of our host. A proxy that nobody trusts hides the scheme, so at the public host there is only one.
 */
export function isOurOrigin(origin: string, publicOrigin: string, { host, protocol }: Reached): boolean {
  if (origin === publicOrigin) return true;
  const address = `${protocol}://${host ?? ''}`;
  if (!URL.canParse(address)) return false;
  const [here, ours] = [new URL(address), new URL(publicOrigin)];
  return origin === here.origin && (here.hostname !== ours.hostname || here.protocol === ours.protocol);
}

/** Of requests that do not go through Fastify, told as it does: the scheme (`request.protocol`) and the address (`request.ip`). */
export function connectionReader(trustProxy: Config['trustProxy']) {
  const isTrusted = trustProxy === false ? () => false : compile(trustProxy.split(',').map((part) => part.trim()));
  return {
    schemeOf: ({ headers, socket }: IncomingMessage): string => {
      const forwarded = headers['x-forwarded-proto'];
      if (forwarded === undefined || !isTrusted(socket.remoteAddress ?? '', 0)) return 'http';
      return String(forwarded).split(',').at(-1)?.trim() ?? 'http';
    },
    addressOf: (request: IncomingMessage): string => proxyAddress(request, isTrusted),
  };
}
