import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { AccessToken } from '../oauth/access-tokens.js';
import { invalidToken } from '../oauth/token-errors.js';

/** A request on which the token guard has put who acts for whom. */
export type TokenRequest = FastifyRequest & { accessToken?: AccessToken };

/** The acting application and the member it acts for. Only on calls with `@NeedsToken()`. */
export const ActingApplication = createParamDecorator((_: unknown, context: ExecutionContext): AccessToken => {
  const { accessToken } = context.switchToHttp().getRequest<TokenRequest>();
  if (!accessToken) throw invalidToken();
  return accessToken;
});
