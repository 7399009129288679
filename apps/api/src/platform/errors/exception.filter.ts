import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { methodsAt } from '../http/known-routes.js';
import { ReadModelTrouble } from '../journal/read-model-trouble.js';
import { methodNotAllowed } from './app-error.js';
import { asAppError, renderError, retryAfter } from './error-body.js';

/** There is nothing at an address that other methods have: they are named (RFC 9110 §15.5.6). */
function withMethods(exception: unknown, { server, url }: FastifyRequest): unknown {
  if (!(exception instanceof NotFoundException)) return exception;
  const methods = methodsAt(server, url);
  return methods.length === 0 ? exception : methodNotAllowed(methods);
}

/** Answers every error as `{ statusCode, code, message, requestId, …extra }` with the fields of problem details (rule general-5). */
@Catch()
export class AppExceptionFilter implements ExceptionFilter {
  constructor(private readonly readModels: ReadModelTrouble) {}

  async catch(exception: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = await this.readModels.explain(asAppError(withMethods(exception, request), request.log));
    if (!reply.sent) sendError(request, reply, error);
  }
}

/** RFC 9457; for those alone who ask for it. */
const PROBLEM_TYPE = 'application/problem+json';
const PROBLEM = /(?:^|,)\s*application\/problem\+json\s*(?:$|[,;])/i;

export function sendError(request: FastifyRequest, reply: FastifyReply, exception: unknown): void {
  const error = asAppError(exception, request.log);
  void reply.headers(retryAfter(error));
  request.refusedWith = error.code;
  if (error.statusCode >= 500) request.failedBecause = error.cause;
  void reply.headers(error.headers);
  void reply
    .code(error.statusCode)
    .header('cache-control', 'no-store')
    .type(`${PROBLEM.test(request.headers.accept ?? '') ? PROBLEM_TYPE : 'application/json'}; charset=utf-8`)
    .send(renderError(error, request.id));
}
