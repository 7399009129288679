import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ApiBearerAuth,
  ApiForbiddenResponse,
  ApiOAuth2,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AccessTokens } from '../oauth/access-tokens.js';
import { ApplicationCalls } from '../oauth/application-calls.js';
import { BEARER } from '../oauth/needs-application.js';
import type { Scope } from '../oauth/scopes.js';
import { insufficientScope, invalidToken, missingToken } from '../oauth/token-errors.js';
import { Public } from '../platform/auth/access.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import type { TokenRequest } from './acting-application.js';

const TOKEN_SCOPES = 'nova:token-scopes';

/** Admits applications whose access token covers the call (rule apps-1), and limits how often each one calls. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: AccessTokens,
    private readonly calls: ApplicationCalls,
    private readonly limits: RateLimits,
  ) {}

  /** @throws AppError 401 `INVALID_TOKEN`, 403 `INSUFFICIENT_SCOPE`, 429 */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<TokenRequest>();
    const accessToken = await this.tokens.find(bearerOf(request.headers.authorization));
    if (!accessToken) throw invalidToken();
    const { clientId, memberId } = accessToken;
    this.calls.isOf(request.raw, { clientId, credential: 'member_token', secretName: null });
    request.provenMember = memberId;
    const limit = request.method === 'GET' ? this.limits.tokenReads : this.limits.tokenWrites;
    const caller = `${clientId} ${memberId}`;
    limit.take(caller);
    void context.switchToHttp().getResponse<FastifyReply>().headers(limit.headers(caller));
    const scopes = this.reflector.get<readonly Scope[]>(TOKEN_SCOPES, context.getHandler());
    if (!scopes.some((scope) => accessToken.scopes.has(scope))) throw insufficientScope(scopes);
    request.accessToken = accessToken;
    return true;
  }
}

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) throw missingToken();
  const [, bearer] = BEARER.exec(authorization) ?? [];
  if (bearer === undefined) throw invalidToken();
  return bearer;
}

/**
 * For applications: needs an access token as `Authorization: Bearer`, never a cookie, with at least one of these scopes
 * (RFC 6750; rule apps-1).
 */
export const NeedsToken = (...scopes: readonly Scope[]): MethodDecorator & ClassDecorator =>
  applyDecorators(
    // The session guard lets the call pass; the token guard takes no session.
    Public(),
    SetMetadata(TOKEN_SCOPES, scopes),
    UseGuards(TokenGuard),
    ...scopes.map((scope) => ApiOAuth2([scope])),
    ApiBearerAuth(),
    ApiUnauthorizedResponse({ description: 'No token, or one that is unknown, expired or revoked: `INVALID_TOKEN`.' }),
    ApiForbiddenResponse({ description: `The token has no scope ${scopes.join(' or ')}: \`INSUFFICIENT_SCOPE\`.` }),
    ApiTooManyRequestsResponse({
      description: 'Too many calls of this application for this member: see `Retry-After`.',
    }),
  );
