import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../http/network.js';
import type { RateLimiter } from './rate-limiter.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** It brings the word of the demo's tool: no count limits it (rule limits-9). */
    hasDemoWord?: boolean;
  }
}

/** What a session cookie or a token may turn out to be. */
export interface Claims {
  /** The request comes with one; nobody has looked at it. */
  isMade(request: FastifyRequest): boolean;
  /** It was right a while ago, as far as this process remembers: without asking the database. */
  wasRight(request: FastifyRequest): boolean;
}

const COUNTED = ['/api/', '/sandbox/', '/objects/', '/metrics'];
/** A payment provider proves each of its calls by a signature, and calls as often as it must. */
const NOT_COUNTED = '/api/webhooks/';
/** A page shows many, to whoever knows their addresses: only those count that are not there. */
const FILES = '/objects/';
/** The payment stand-in looks at its key itself: this server's own calls bring it. */
const STAND_IN = '/sandbox/';
const UNAUTHENTICATED = 401;
const REFUSED = 400;

const isCounted = ({ url, hasDemoWord }: FastifyRequest): boolean =>
  !hasDemoWord && COUNTED.some((prefix) => url.startsWith(prefix)) && !url.startsWith(NOT_COUNTED);

/**
 * Counts by network what visitors ask for, before anything of a request is read: a refusal costs a stranger no less than an answer.
 * Whoever claims to be somebody is a visitor until that is proved, and is counted as one until the answer: a made-up cookie is no way
 * round. Where a network has used up its calls, those of its members go on whose sessions this process remembers.
 */
export function limitVisitors(fastify: FastifyInstance, limiter: RateLimiter, claims: Claims): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (!isCounted(request)) return done();
    const network = networkOf(request.ip);
    try {
      limiter.check(network);
    } catch (error) {
      if (!claims.isMade(request) || !claims.wasRight(request)) {
        return done(error instanceof Error ? error : new Error(String(error)));
      }
    }
    limiter.count(network);
    done();
  });
  // Before the answer goes out: one that never does, because its connection is gone, counts.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const hasKey = request.url.startsWith(STAND_IN) && reply.statusCode !== UNAUTHENTICATED;
    const isProved = claims.isMade(request) && (request.provenMember !== undefined || hasKey);
    const isFile = request.url.startsWith(FILES) && reply.statusCode < REFUSED;
    if (isCounted(request)) {
      const network = networkOf(request.ip);
      if (isProved || isFile) limiter.giveBack(network);
      else if (!reply.hasHeader('ratelimit')) void reply.headers(limiter.headers(network));
    }
    done(null, payload);
  });
}
