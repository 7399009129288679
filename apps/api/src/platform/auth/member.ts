import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { unauthenticated } from '../errors/app-error.js';

/** Who makes a request, as the session says. */
export interface SignedInMember {
  readonly id: string;
  readonly isAdmin: boolean;
  readonly sessionId: string;
  readonly deviceId: string;
  readonly signedInAt: Date;
}

/** Passport leaves the member here. */
export type MemberRequest = FastifyRequest & { user?: SignedInMember };

/** The signed-in member. Only on calls that the session guard covers. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): SignedInMember => {
  const { user } = context.switchToHttp().getRequest<MemberRequest>();
  if (!user) throw unauthenticated();
  return user;
});
