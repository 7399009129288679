import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTestClientId } from '@app/domain';
import type { Config } from '../../platform/config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { sendError } from '../../platform/errors/exception.filter.js';
import { BODY_BYTES_MAX } from '../../platform/http/bodies.js';
import { networkOf } from '../../platform/http/network.js';
import type { SignedInMember } from '../../platform/auth/member.js';
import type { RateLimits } from '../../platform/rate-limit/rate-limits.js';
import type { OAuthProvider } from './oauth-provider.js';
import { TEST_AUTHORIZE } from './provider-configuration.js';

export interface MountedProvider {
  readonly provider: OAuthProvider;
  readonly config: Config;
  readonly limits: RateLimits;
  /** Finds the member of a browser's session cookie. */
  readonly findMember: (request: FastifyRequest) => Promise<SignedInMember | undefined>;
}

const AUTHORIZE = '/oauth/authorize';
/** Public and cheap answers. */
const PUBLISHED = ['/oauth/jwks', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
const CALLS = [
  ['/oauth/token', ['POST', 'OPTIONS']],
  ['/oauth/userinfo', ['GET', 'POST', 'OPTIONS']],
  ['/oauth/revoke', ['POST', 'OPTIONS']],
  ['/oauth/introspect', ['POST', 'OPTIONS']],
] as const;

/** Passes the protocol's paths to the provider, which reads bodies itself. */
export async function mountProvider(fastify: FastifyInstance, mounted: MountedProvider): Promise<void> {
  const { provider, config, limits } = mounted;
  const handOver = async (
    request: FastifyRequest,
    reply: FastifyReply,
    base: string,
    mode: 'live' | 'test' = 'live',
  ): Promise<void> => {
    const { raw } = request;
    const { protocol, host } = new URL(base);
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    raw.headers['x-forwarded-host'] = host;
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    await provider.answer({ request: raw, response: reply.raw }, mode);
  };
  const limit = (request: FastifyRequest, reply: FastifyReply, by = limits.oauthRequests): void => {
    const network = networkOf(request.ip);
    try {
      by.take(network);
      void reply.headers(by.headers(network));
    } catch (error) {
      throw error instanceof AppError ? asProtocolError(error) : error;
    }
  };

  await fastify.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendError(request, reply, error));
    scope.removeAllContentTypeParsers();
    // The provider reads bodies itself, up to 56 kB. A body that declares a larger size than our limit is refused at
    // once; one that declares none, as soon as it exceeds the limit.
    scope.addContentTypeParser('*', (request, _body, done) => {
      const isTooLarge = Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX;
      countBody(request.raw);
      done(isTooLarge ? tooLarge() : null);
    });
    for (const url of PUBLISHED) {
      scope.route({
        method: ['GET', 'OPTIONS'],
        url,
        handler: (request, reply) => handOver(request, reply, config.publicUrl),
      });
    }
    scope.route({
      method: ['POST', 'OPTIONS'],
      url: '/oauth/device_authorization',
      handler(request, reply) {
        if (request.method !== 'OPTIONS') limit(request, reply, limits.deviceAuthorizations);
        return handOver(request, reply, config.publicUrl);
      },
    });
    for (const [url, methods] of CALLS) {
      scope.route({
        method: [...methods],
        url,
        handler(request, reply) {
          // Browsers do not take the refusal of a preflight as an answer to the call.
          if (request.method !== 'OPTIONS') limit(request, reply);
          return handOver(request, reply, config.publicUrl);
        },
      });
    }
    takeAuthorizations(scope, mounted, { handOver, limit });
  });
  await takeForms(fastify);
  keepOpener(fastify);
}

interface Passing {
  readonly handOver: (
    request: FastifyRequest,
    reply: FastifyReply,
    base: string,
    mode?: 'live' | 'test',
  ) => Promise<void>;
  readonly limit: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** What browsers are sent to, and come back to from the consent screen. */
function takeAuthorizations(
  scope: FastifyInstance,
  { provider, config, limits, findMember }: MountedProvider,
  { handOver, limit }: Passing,
): void {
  const limitVisitor = (request: FastifyRequest): void => limits.visitorAuthorizations.take(networkOf(request.ip));
  const authorizeTest = (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    allowFormsToApplications(reply);
    return handOver(request, reply, addressOf(request, config.publicUrl), 'test');
  };
  // Nobody's session is looked for: a screen of test mode shows made-up members alone (rule apps-11).
  scope.get(`${TEST_AUTHORIZE}/:uid`, async (request, reply) => {
    limit(request, reply);
    return authorizeTest(request, reply);
  });
  for (const url of [AUTHORIZE, `${AUTHORIZE}/:uid`]) {
    scope.get(url, async (request, reply) => {
      limit(request, reply);
      if (url === AUTHORIZE && isOfTestClient(request.query)) {
        limitVisitor(request);
        request.raw.url = request.raw.url?.replace(AUTHORIZE, TEST_AUTHORIZE);
        return authorizeTest(request, reply);
      }
      const member = await findMember(request);
      if (member) provider.members.set(request.raw, member);
      else if (url === AUTHORIZE) limitVisitor(request);
      allowFormsToApplications(reply);
      return handOver(request, reply, addressOf(request, config.publicUrl));
    });
  }
}

const isOfTestClient = (query: unknown): boolean => {
  const { client_id: clientId } = query as Readonly<Record<string, unknown>>;
  return typeof clientId === 'string' && isTestClientId(clientId);
};

/** Pages between an application that opened a window and its own page in it: redirects count too. */
const IN_POPUPS = /^\/oauth\/(?:test\/)?(?:authorize|consent)(?:[/?]|$)/;

/** An application that signs members in in a window of its own must still see that window, and be seen from it. */
function keepOpener(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (IN_POPUPS.test(request.url)) void reply.header('cross-origin-opener-policy', 'unsafe-none');
    done();
  });
}

/** The provider reads the body through this, and answers 400 `invalid_request` to a body that it cannot read. */
function countBody(raw: IncomingMessage): void {
  const read = raw.iterator.bind(raw);
  raw.iterator = async function* counted(options) {
    let bytes = 0;
    for await (const chunk of { [Symbol.asyncIterator]: () => read(options) } as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) throw tooLarge();
      yield chunk;
    }
  };
}

/** The provider's own answer to a body that it does not read: 400, by RFC 6749 §5.2. */
function tooLarge(): AppError {
  const message = 'The request is larger than this call allows.';
  return new AppError(400, 'BODY_TOO_LARGE', message, {
    extra: { error: 'invalid_request', error_description: message },
  });
}

/**
 * RFC 6749 §3.1 lets applications send an authorization request as a form. The browser then sends it again as an
 * address.
 */
async function takeForms(fastify: FastifyInstance): Promise<void> {
  await fastify.register(async (scope) => {
    scope.post(AUTHORIZE, (request, reply) => {
      const fields = Object.entries(request.body ?? {}).filter(([, value]) => typeof value === 'string');
      return reply.redirect(`${AUTHORIZE}?${new URLSearchParams(fields).toString()}`, 303);
    });
  });
}

/** The browser continues at the address at which it reached us, which may differ from our public address. */
export const addressOf = ({ protocol, host }: FastifyRequest, publicUrl: string): string =>
  host === new URL(publicUrl).host || !URL.canParse(`${protocol}://${host}`) ? publicUrl : `${protocol}://${host}`;

/**
 * `response_mode=form_post` answers with a form that the browser sends to the application: our only form that goes
 * elsewhere.
 */
function allowFormsToApplications(reply: FastifyReply): void {
  const policy = reply.getHeader('content-security-policy');
  if (typeof policy === 'string') {
    void reply.header('content-security-policy', policy.replace(/form-action [^;]*;?/, ''));
  }
}

/**
 * Our refusals, with the fields that OAuth clients read (RFC 6749 §5.2). Pages of any origin may read them: they say
 * nothing about any member.
 */
const asProtocolError = ({ statusCode, code, message, extra, headers, retryAfterSeconds }: AppError): AppError =>
  new AppError(statusCode, code, message, {
    extra: { ...extra, error: 'temporarily_unavailable', error_description: message },
    headers: {
      ...headers,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After, RateLimit, RateLimit-Policy',
    },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
