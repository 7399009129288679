import { applyDecorators, SetMetadata, UseGuards } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiForbiddenResponse,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { Scope } from '../oauth/scopes.js';
import { Public } from '../platform/auth/access.js';
import { TokenGuard, TOKEN_SCOPES } from './token.guard.js';

/**
 * For applications: an access token as `Authorization: Bearer`, never a cookie, with one of these scopes at least
 * (RFC 6750; rule apps-1).
 */
export const NeedsToken = (...scopes: readonly Scope[]): MethodDecorator & ClassDecorator =>
  applyDecorators(
    // The guard of sessions lets the call pass; this one takes no session.
    Public(),
    SetMetadata(TOKEN_SCOPES, scopes),
    UseGuards(TokenGuard),
    ApiBearerAuth(),
    ApiUnauthorizedResponse({ description: 'No token, or one that is unknown, expired or revoked.' }),
    ApiForbiddenResponse({ description: `The token has no scope ${scopes.join(' or ')}.` }),
    ApiTooManyRequestsResponse({
      description: 'Too many calls of this application for this member: see `Retry-After`.',
    }),
  );
