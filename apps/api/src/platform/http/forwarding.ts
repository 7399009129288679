import type { FastifyInstance } from 'fastify';

/** The headers in which proxies name the client. */
const FORWARDING = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip'] as const;

/**
 * Warns once in the life of the process that a proxy seems to forward requests while none is trusted: everybody behind it then
 * counts as one address. The addresses in the header are anybody's to invent, so they stay out of the log.
 */
export function warnOfForwarding(fastify: FastifyInstance, trustProxy: string | false): void {
  if (trustProxy !== false) return;
  let isTold = false;
  fastify.addHook('onRequest', (request, _reply, done) => {
    const header = isTold ? undefined : FORWARDING.find((name) => request.headers[name] !== undefined);
    if (header !== undefined) {
      isTold = true;
      const from = request.socket.remoteAddress;
      request.log.warn(
        { header, from },
        `A request came with the header ${header} while TRUST_PROXY is not set. If a proxy of yours at ${from} sent it, set TRUST_PROXY to ` +
          'that address: until then everybody behind the proxy counts as one for rate limits. ' +
          'A client can send such a header too; then there is nothing to do.',
      );
    }
    done();
  });
}
