import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { SESSION_COOKIE } from '../auth/cookies.js';
import { ErrorBody } from './error-body.dto.js';

/** The OpenAPI document of every call, its error answers included. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const info = new DocumentBuilder()
    .setTitle('Nova')
    .setDescription(
      'Amounts are decimal numbers of Nova with at most two decimals. Times are ISO 8601 UTC. Every error is ' +
        '`{ statusCode, code, message, requestId, … }`: `message` is a sentence for people, `code` a stable word for programs.',
    )
    .setVersion('1.0')
    .addCookieAuth(SESSION_COOKIE)
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'opaque',
      description: 'An access token of `/oauth/token`.',
    })
    .build();
  const document = SwaggerModule.createDocument(app, info, { extraModels: [ErrorBody] });
  for (const path of Object.values(document.paths)) {
    for (const operation of [path.get, path.post, path.put, path.patch, path.delete]) {
      if (operation) operation.responses = { ...operation.responses, default: REFUSED };
    }
  }
  return document;
}

const REFUSED = {
  description: 'Refused: nothing was changed.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
};
