import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import etag from 'etag';

const PLACE = '/api/openapi.json';

/**
 * The description of the API at `/api/openapi.json`, and a page to read and try it at `/api/docs`. It is written once: anybody may ask
 * for it, and writing it takes tens of milliseconds.
 */
export function serveDocument(app: NestFastifyApplication, document: OpenAPIObject): void {
  const content = Buffer.from(JSON.stringify(document));
  const tag = etag(content);
  app
    .getHttpAdapter()
    .getInstance()
    .get(PLACE, (_request, reply) =>
      reply.headers({ etag: tag, 'cache-control': 'no-cache' }).type('application/json; charset=utf-8').send(content),
    );
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
