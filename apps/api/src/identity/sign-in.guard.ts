import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { unauthenticated } from '../platform/errors/app-error.js';
import { createValidationPipe } from '../platform/errors/validation.js';
import { SignInDto } from './credentials.dto.js';
import type { Account } from './entities.js';

type AccountRequest = FastifyRequest & { account?: Account };

const pipe = createValidationPipe();

/** Proves identity by Passport's `local` strategy, once the request has been found well-formed: guards run before pipes. */
@Injectable()
export class SignInGuard extends AuthGuard('local') {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AccountRequest>();
    await pipe.transform(request.body ?? {}, { type: 'body', metatype: SignInDto });
    await super.canActivate(context);
    return true;
  }

  override getAuthenticateOptions(): { session: boolean; property: string } {
    return { session: false, property: 'account' };
  }

  override handleRequest<T = Account>(error: unknown, account: T | false): T {
    if (error) throw error;
    if (!account) throw unauthenticated();
    return account;
  }
}

/** The account that `SignInGuard` proved. */
export const ProvenAccount = createParamDecorator((_: unknown, context: ExecutionContext): Account => {
  const { account } = context.switchToHttp().getRequest<AccountRequest>();
  if (!account) throw unauthenticated();
  return account;
});
