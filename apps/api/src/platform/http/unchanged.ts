import fastifyEtag from '@fastify/etag';
import type { FastifyInstance } from 'fastify';

/**
 * What is asked for again and did not change is answered with 304 and no body: the client polls. Browsers keep the last
 * answer for themselves and always ask.
 */
export async function answerUnchanged(fastify: FastifyInstance): Promise<void> {
  await fastify.register(fastifyEtag, { weak: true });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (request.method === 'GET' && request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) {
      void reply.header('cache-control', 'private, no-cache');
    }
    done(null, payload);
  });
}
