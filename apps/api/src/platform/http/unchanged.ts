import etag from 'etag';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fresh from 'fresh';

/**
 * Whether who asks has what bears this tag (RFC 9110 §13.1.2). Their other headers aside: `fetch` says `no-cache` with a tag of the
 * caller's own, and a 304 is as new as the whole.
 */
export const isHeldBy = ({ headers }: FastifyRequest, tag: string): boolean =>
  fresh({ 'if-none-match': headers['if-none-match'] }, { etag: tag });

/**
 * Answers that no browser may keep on its disk: statements, receipts, chats and their messages, what one's applications
 * moved, the books. The rest of the API is polled lists and what others may see too.
 */
const NOT_KEPT: readonly RegExp[] = [
  /^\/api\/auth\//,
  /^\/api\/nova\//,
  /^\/api\/gifts\//,
  /^\/api\/wallet\//,
  /^\/api\/takeout(?:\/|$)/,
  /^\/api\/chats\/(?!pending-requests|inbound-priority)/,
  /^\/api\/messages(?:\/|$)/,
  /^\/api\/tokens\//,
  /^\/api\/oauth\/(?:token-balances|application\/)/,
  /^\/api\/admin\/(?:finance|transactions|events|reconciliation)(?:\/|\.|$)/,
];

/** How long a browser may keep an answer that does not say it itself. */
function cacheControlOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return NOT_KEPT.some((pattern) => pattern.test(path)) ? 'no-store' : 'private, no-cache';
}

/**
 * What is asked for again and did not change is answered with 304 and no body: the client polls. Browsers keep the last
 * answer for themselves and always ask.
 */
export function answerUnchanged(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return done(null, payload);
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) {
      void reply.header('cache-control', cacheControlOf(request.url));
    }
    // A stream, a file, says itself what it is and whether it changed.
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (reply.statusCode !== 200 || !isWhole) return done(null, payload);
    const tag = String(reply.getHeader('etag') ?? etag(payload, { weak: true }));
    void reply.header('etag', tag);
    if (!isHeldBy(request, tag)) return done(null, payload);
    void reply.code(304);
    done(null, '');
  });
}
