import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiBasicAuth, ApiUnauthorizedResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApplicationCredentials, type ProvenApplication } from '../oauth/application-credentials.js';
import { Public } from '../platform/auth/access.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import { invalidClient } from './token-errors.js';

type SecretRequest = FastifyRequest & { provenApplication?: ProvenApplication };

/** The application that proved itself. Only on calls with `@NeedsSecret()`. */
export const CurrentApplication = createParamDecorator((_: unknown, context: ExecutionContext): ProvenApplication => {
  const { provenApplication } = context.switchToHttp().getRequest<SecretRequest>();
  if (!provenApplication) throw invalidClient();
  return provenApplication;
});

/** Admits applications by their client id and secret (rule apps-10), and limits how often each one calls. */
@Injectable()
export class SecretGuard implements CanActivate {
  constructor(
    private readonly credentials: ApplicationCredentials,
    private readonly limits: RateLimits,
  ) {}

  /** @throws AppError 401 `INVALID_CLIENT`, 429 */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SecretRequest>();
    const [clientId, secret] = credentialsOf(request.headers.authorization) ?? [];
    const application =
      clientId === undefined || secret === undefined ? undefined : await this.credentials.find(clientId, secret);
    if (!application) throw invalidClient();
    // Calls of its own are no visitor's: its developer answers for them.
    request.provenMember = application.ownerId;
    const limit = request.method === 'GET' ? this.limits.tokenReads : this.limits.tokenWrites;
    limit.take(application.clientId);
    void context.switchToHttp().getResponse<FastifyReply>().headers(limit.headers(application.clientId));
    request.provenApplication = application;
    return true;
  }
}

const BASIC = /^Basic +([\w+/]{1,512}={0,2})$/i;

/** RFC 7617; both parts are form-encoded (RFC 6749 §2.3.1), which ours never need. */
function credentialsOf(authorization = ''): [clientId: string, secret: string] | undefined {
  const text = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
  const end = text.indexOf(':');
  return end < 0 ? undefined : [text.slice(0, end), text.slice(end + 1)];
}

/** For applications in their own name: needs client id and secret as `Authorization: Basic`, never a cookie. */
export const NeedsSecret = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    // The session guard lets the call pass; the secret guard takes no session.
    Public(),
    UseGuards(SecretGuard),
    ApiBasicAuth(),
    ApiUnauthorizedResponse({ description: 'No client id and secret, or wrong ones.' }),
  );
