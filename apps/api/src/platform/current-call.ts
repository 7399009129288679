import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { CommandRequest } from '@app/ledger';
import type { FastifyRequest } from 'fastify';
import { AppError } from './errors/app-error.js';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

const describeKey = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description: 'Repeating a call with the same key and body gives the first answer again and takes effect once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
});

/** Tells of the header on the call that reads it. */
const described: ParameterDecorator = (controller, call = '') => {
  const method = Object.getOwnPropertyDescriptor(controller, call);
  if (!method) throw new Error('an Idempotency-Key is for calls alone');
  describeKey(controller, call, method);
};

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && PRINTABLE.test(key)) return key;
  throw new AppError(
    400,
    'INVALID_IDEMPOTENCY_KEY',
    'The Idempotency-Key must have 1 to 255 printable ASCII characters.',
  );
}

/** A client's call: its request id and its `Idempotency-Key`. */
export interface Call {
  readonly requestId: string;
  /** Undefined if the caller gave none. */
  readonly idempotencyKey: string | undefined;
}

/**
 * The call that is being answered.
 * @throws AppError 400 its key is not 1 to 255 printable characters
 */
export const CurrentCall = createParamDecorator(
  (_: unknown, context: ExecutionContext): Call => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return { requestId: request.id, idempotencyKey: keyOf(request) };
  },
  [described],
);

/** What the ledger is told of a call whose key is the caller's own. @param scope actor and call: see `CommandRequest.key` */
export const calledBy = (
  { requestId, idempotencyKey }: Call,
  scope: string,
): Pick<CommandRequest, 'key'> & { readonly correlationId: string } => ({
  correlationId: requestId,
  ...(idempotencyKey !== undefined && { key: { scope, value: idempotencyKey } }),
});
