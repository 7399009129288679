import type { FastifyInstance } from 'fastify';

const CALLS = ['/api/tokens/', '/api/oauth/token-balances'];

const ANSWER = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, WWW-Authenticate',
};
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
  'access-control-max-age': '86400',
};

/**
 * Pages of applications call the token API from wherever they are. They need a token, which no page of another origin has:
 * cookies do not count there, and browsers do not send them to whoever allows every origin.
 */
export function openTokenApiToPages(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!CALLS.some((prefix) => request.url.startsWith(prefix))) return done();
    void reply.headers(ANSWER);
    if (request.method !== 'OPTIONS') return done();
    void reply.code(204).headers(PREFLIGHT).send();
  });
}
