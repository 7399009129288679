import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    carriesSecret?: boolean;
  }
}

/** Below this, headers and the work outweigh what is saved. */
const BYTES_MIN = 1_024;

/** Best of what takes well below a millisecond for an answer of usual size. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

const TEXT = /^(?:application\/json|text\/)/;

const ENCODERS = { br: (text: Buffer) => promisify(brotliCompress)(text, BROTLI), gzip: promisify(gzip) } as const;

/**
 * For a GET whose answer has a credential in it. Compressed, its length would tell whether a guess that somebody smuggled into
 * the same answer resembles the credential (BREACH); no proxy may compress it either.
 */
export const CarriesSecret = (): MethodDecorator => RouteConfig({ carriesSecret: true });

/**
 * Compresses what is read: answers to GET below `/api/`, and the client's page. Answers to commands may carry tokens, recovery
 * words or client secrets, and so may all of OAuth's: they stay as they are. `@fastify/compress` would not shorten this: it
 * decides by route and packs commands as well, takes no word from a handler's decorator, sends `Vary` only with what it packed, and
 * packs smaller answers on the event loop.
 */
export function compressAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.config.carriesSecret) {
      void reply.header('cache-control', 'no-store, no-transform');
      return payload;
    }
    if (
      request.method !== 'GET' ||
      reply.statusCode !== 200 ||
      !isOurs(request) ||
      reply.hasHeader('content-encoding')
    ) {
      return payload;
    }
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isWhole || !TEXT.test(String(reply.getHeader('content-type')))) return payload;
    const vary = String(reply.getHeader('vary') ?? '');
    // It has its own packed form.
    if (vary.includes('accept-encoding')) return payload;
    void reply.header('vary', vary === '' ? 'accept-encoding' : `${vary}, accept-encoding`);
    const content = Buffer.from(payload);
    const encoding = encodingFor(request);
    if (encoding === undefined || content.length < BYTES_MIN) return payload;
    const packed = await ENCODERS[encoding](content);
    void reply.header('content-encoding', encoding).header('content-length', packed.length);
    return packed;
  });
}

/** Also the paths of the client, which one route answers. */
const isOurs = ({ url, routeOptions }: FastifyRequest): boolean => url.startsWith('/api/') || routeOptions.url === '/*';

function encodingFor({ headers }: FastifyRequest): keyof typeof ENCODERS | undefined {
  const accepted = (headers['accept-encoding'] ?? '')
    .split(',')
    .map((each) => each.trim().split(/\s*;\s*q=/))
    .filter(([, weight]) => weight === undefined || Number(weight) > 0)
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((name) => accepted.includes(name));
}
