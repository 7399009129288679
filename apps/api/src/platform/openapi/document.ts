import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { SESSION_COOKIE } from '../auth/cookies.js';
import { ErrorBody } from './error-body.dto.js';

/** What an access token may be for, in the words of the consent screen. */
const SCOPES = {
  openid: 'Who the member is.',
  profile: 'Name, picture, bio and rating.',
  email: 'The e-mail address.',
  nova: 'The Nova balance; spend, earn and transfer within the daily limit.',
  karma: 'The Karma balance.',
  influence: 'Influence points and the rating.',
};

/** What an application's own token may be for. */
const OWN_SCOPES = {
  'wallet:read': "The application's wallet and its statement.",
  'wallet:pay': 'Paying members from the wallet.',
  webhooks: 'Its webhooks and their deliveries.',
  'members:read': 'The members who consented.',
  'calls:read': 'The log of its calls.',
};

/** The OpenAPI document of every call, its error answers included. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const info = new DocumentBuilder()
    .setTitle('Nova')
    .setDescription(
      'Amounts are decimal numbers of Nova with at most two decimals. Times are ISO 8601 UTC. Every error is ' +
        '`{ statusCode, code, message, requestId, … }` with the fields of problem details (RFC 9457): `message` is a sentence ' +
        'for people, `code` a stable word for programs. `Accept: application/problem+json` is answered in kind. An address ' +
        'that does not support a method answers 405 with `Allow`.',
    )
    .setVersion('1.0')
    .addCookieAuth(SESSION_COOKIE)
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'opaque',
      description: 'An access token of `/oauth/token`.',
    })
    .addBasicAuth({ type: 'http', scheme: 'basic', description: 'Client id and secret of an application.' })
    .addOAuth2({
      type: 'oauth2',
      description: 'For applications: a token for a member’s consent, or one of their own.',
      flows: {
        authorizationCode: {
          authorizationUrl: '/oauth/authorize',
          tokenUrl: '/oauth/token',
          refreshUrl: '/oauth/token',
          scopes: SCOPES,
        },
        clientCredentials: { tokenUrl: '/oauth/token', scopes: OWN_SCOPES },
      },
    })
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'This server.')
    .build();
  return SwaggerModule.createDocument(app, info, {
    extraModels: [ErrorBody],
    operationIdFactory: (_controller, method) => method,
  });
}
