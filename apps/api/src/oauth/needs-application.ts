import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ApiBasicAuth,
  ApiForbiddenResponse,
  ApiOAuth2,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type IsCredential, Public, SessionOrCredential } from '../platform/auth/access.js';
import type { MemberRequest, SignedInMember } from '../platform/auth/member.js';
import { unauthenticated } from '../platform/errors/app-error.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import { ApplicationCalls, type Caller } from './application-calls.js';
import { ApplicationCredentials, type ProvenApplication } from './application-credentials.js';
import { applicationNotFound } from './application-not-found.js';
import type { OwnScope } from './own-scopes.js';
import { insufficientScope, invalidClient, invalidToken } from './token-errors.js';

const OWN_SCOPE = 'nova:own-scope';

type ApplicationRequest = MemberRequest & { provenApplication?: ProvenApplication };

/** The application that proved itself. Only on calls with `@NeedsApplication()`. */
export const CurrentApplication = createParamDecorator((_: unknown, context: ExecutionContext): ProvenApplication => {
  const { provenApplication } = context.switchToHttp().getRequest<ApplicationRequest>();
  if (!provenApplication) throw invalidClient();
  return provenApplication;
});

/** The developer of an application, in person or by the application's own credential. */
export interface Developer {
  readonly id: string;
  /** Absent where the application itself calls. */
  readonly session?: SignedInMember;
}

/** Who acts. Only on calls with `@NeedsDeveloper()`. */
export const CurrentDeveloper = createParamDecorator((_: unknown, context: ExecutionContext): Developer => {
  const { provenApplication, user } = context.switchToHttp().getRequest<ApplicationRequest>();
  if (provenApplication) return { id: provenApplication.ownerId };
  if (!user) throw unauthenticated();
  return { id: user.id, session: user };
});

/**
 * Admits applications that act for themselves: by client id and secret as Basic, or by a token of `client_credentials` as
 * Bearer (rule apps-10). It limits how often each one calls, and lets it reach no other application.
 */
@Injectable()
class ApplicationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: ApplicationCredentials,
    private readonly calls: ApplicationCalls,
    private readonly limits: RateLimits,
  ) {}

  /** @throws AppError 401 `INVALID_CLIENT` or `INVALID_TOKEN`, 403 `INSUFFICIENT_SCOPE`, 404, 429 */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ApplicationRequest>();
    // The session guard, which comes first, has found the developer.
    if (request.user) return true;
    const [application, credential] = await this.prove(request.headers.authorization ?? '');
    const { clientId, ownerId, secretName, scopes } = application;
    this.calls.isOf(request.raw, { clientId, credential, secretName });
    // Calls of its own are no visitor's: its developer answers for them.
    request.provenMember = ownerId;
    const limit = request.method === 'GET' ? this.limits.tokenReads : this.limits.tokenWrites;
    limit.take(clientId);
    void context.switchToHttp().getResponse<FastifyReply>().headers(limit.headers(clientId));
    const scope = this.reflector.getAllAndOverride<OwnScope>(OWN_SCOPE, [context.getHandler(), context.getClass()]);
    if (!scopes.has(scope)) throw insufficientScope([scope]);
    const named = (request.params as { clientId?: string }).clientId;
    if (named !== undefined && named !== clientId) throw applicationNotFound();
    request.provenApplication = application;
    return true;
  }

  private async prove(authorization: string): Promise<readonly [ProvenApplication, Caller['credential']]> {
    const [, bearer] = BEARER.exec(authorization) ?? [];
    if (bearer !== undefined) {
      const application = await this.credentials.byToken(bearer);
      if (!application) throw invalidToken();
      return [application, 'token'];
    }
    const [clientId, secret] = credentialsOf(authorization) ?? [];
    const application =
      clientId === undefined || secret === undefined ? undefined : await this.credentials.bySecret(clientId, secret);
    if (!application) throw invalidClient();
    return [application, 'secret'];
  }
}

/** RFC 6750 §2.1, `b68token`; ours have 43 characters. */
export const BEARER = /^Bearer +([\w.~+/-]{1,256}=*)$/i;
const BASIC = /^Basic +([\w+/]{1,512}={0,2})$/i;

/** RFC 7617; both parts are form-encoded (RFC 6749 §2.3.1), which ours never need. */
function credentialsOf(authorization: string): [clientId: string, secret: string] | undefined {
  const text = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
  const end = text.indexOf(':');
  return end < 0 ? undefined : [text.slice(0, end), text.slice(end + 1)];
}

const REGISTERED = /^(?:test_)?[0-9a-f]{32}$/;

/**
 * Whether it says that an application calls, right or wrong. A proxy's own Basic names no client id: beside it the session
 * of whoever is signed in counts, as on every other call.
 */
const isOfApplication: IsCredential = (authorization) =>
  /^Bearer\b/i.test(authorization) || REGISTERED.test(credentialsOf(authorization)?.[0] ?? '');

const described = (scope: OwnScope): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(OWN_SCOPE, scope),
    UseGuards(ApplicationGuard),
    ApiOAuth2([scope]),
    ApiBasicAuth(),
    ApiForbiddenResponse({ description: `The token has no scope ${scope}: \`INSUFFICIENT_SCOPE\`.` }),
    ApiTooManyRequestsResponse({ description: 'Too many calls of this application: see `Retry-After`.' }),
  );

/** For applications in their own name, by a secret or a token with this scope; never a cookie. */
export const NeedsApplication = (scope: OwnScope): MethodDecorator & ClassDecorator =>
  applyDecorators(
    // The session guard lets the call pass; the application guard takes no session.
    Public(),
    described(scope),
    ApiUnauthorizedResponse({ description: 'No client id and secret or token, or wrong ones: `INVALID_CLIENT`.' }),
  );

/** For the developer of the application that the path names, by session, and for that application itself. */
export const NeedsDeveloper = (scope: OwnScope): MethodDecorator & ClassDecorator =>
  applyDecorators(SessionOrCredential(isOfApplication), described(scope));
