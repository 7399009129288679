import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../http/network.js';
import type { RateLimiter } from './rate-limiter.js';

const COUNTED = ['/api/', '/sandbox/'];
/** A payment provider proves each of its calls by a signature, and calls as often as it must. */
const NOT_COUNTED = '/api/webhooks/';

const isCounted = ({ url }: FastifyRequest): boolean =>
  COUNTED.some((prefix) => url.startsWith(prefix)) && !url.startsWith(NOT_COUNTED);

/**
 * Counts by network what visitors ask for, before anything of a request is read: a refusal costs a stranger no less than an answer.
 * Members and applications are not counted, unless what they prove themselves with turns out to be wrong.
 */
export function limitVisitors(
  fastify: FastifyInstance,
  limiter: RateLimiter,
  hasSessionCookie: (request: FastifyRequest) => boolean,
): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (!isCounted(request) || hasSessionCookie(request)) return done();
    const network = networkOf(request.ip);
    try {
      if (request.headers.authorization === undefined) limiter.take(network);
      else limiter.check(network);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const claimed = hasSessionCookie(request) || request.headers.authorization !== undefined;
    if (reply.statusCode === 401 && claimed && isCounted(request)) limiter.count(networkOf(request.ip));
    done();
  });
}
