import { gzipSync } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import etag from 'etag';
import { llmsText } from './llms-text.js';

const PLACE = '/api/openapi.json';

/**
 * The description of the API at `/api/openapi.json`, a page to read and try it at `/api/docs`, and its calls for
 * applications in short at `/llms.txt`. It is written and packed once: anybody
 * may ask for it, and it takes tens of milliseconds.
 */
export function serveDocument(app: NestFastifyApplication, document: OpenAPIObject): void {
  const content = Buffer.from(JSON.stringify(document));
  const packed = gzipSync(content);
  const tag = etag(content, { weak: true });
  app
    .getHttpAdapter()
    .getInstance()
    .get(PLACE, ({ headers }, reply) => {
      void reply
        .headers({ etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
        .type('application/json; charset=utf-8');
      const isPacked = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
      return isPacked ? reply.header('content-encoding', 'gzip').send(packed) : reply.send(content);
    });
  const text = llmsText(document);
  app
    .getHttpAdapter()
    .getInstance()
    .get('/llms.txt', (_request, reply) => void reply.type('text/plain; charset=utf-8').send(text));
  const { openapi, info } = document;
  // The page asks for the description itself: within its script it would be sent with every look.
  SwaggerModule.setup(
    'api/docs',
    app,
    { openapi, info, paths: {} },
    {
      raw: false,
      customSiteTitle: 'Nova API',
      swaggerOptions: { spec: {}, url: PLACE },
    },
  );
}
