import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadModelTrouble } from '../journal/read-model-trouble.js';
import { asAppError, renderError, retryAfter } from './error-body.js';

/** Answers every error as `{ statusCode, code, message, requestId, …extra }` (rule general-5). */
@Catch()
export class AppExceptionFilter implements ExceptionFilter {
  constructor(private readonly readModels: ReadModelTrouble) {}

  async catch(exception: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = await this.readModels.explain(asAppError(exception, request.log));
    if (!reply.sent) sendError(request, reply, error);
  }
}

export function sendError(request: FastifyRequest, reply: FastifyReply, exception: unknown): void {
  const error = asAppError(exception, request.log);
  void reply.headers(retryAfter(error));
  request.refusedWith = error.code;
  void reply.headers(error.headers);
  void reply
    .code(error.statusCode)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(renderError(error, request.id));
}
