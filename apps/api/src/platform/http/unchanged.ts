import etag from 'etag';
import type { FastifyInstance } from 'fastify';
import fresh from 'fresh';

/**
 * What is asked for again and did not change is answered with 304 and no body: the client polls. Browsers keep the last
 * answer for themselves and always ask.
 */
export function answerUnchanged(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const isRead = (request.method === 'GET' || request.method === 'HEAD') && reply.statusCode === 200;
    if (!isRead) return done(null, payload);
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) {
      void reply.header('cache-control', 'private, no-cache');
    }
    // A stream, a file, says itself what it is and whether it changed.
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    if (!reply.hasHeader('etag')) void reply.header('etag', etag(payload, { weak: true }));
    // Its other headers aside: `fetch` says `no-cache` with a tag of the caller's own, and a 304 is as new as the whole.
    const asked = { 'if-none-match': request.headers['if-none-match'] };
    if (!fresh(asked, reply.getHeaders())) return done(null, payload);
    void reply.code(304);
    done(null, '');
  });
}
