import type { FastifyInstance } from 'fastify';

const CALLS = ['/api/tokens/', '/api/oauth/token-balances'];

const ANSWER = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate',
};
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
  'access-control-max-age': '86400',
};

/**
 * Lets applications' pages call the token API from any origin. They need a token, which pages of other origins do not
 * have. The token API ignores cookies, and browsers do not send cookies to servers that allow every origin.
 */
export function openTokenApiToPages(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!CALLS.some((prefix) => request.url.startsWith(prefix))) return done();
    void reply.headers(ANSWER);
    if (request.method !== 'OPTIONS') return done();
    void reply.code(204).headers(PREFLIGHT).send();
  });
}
