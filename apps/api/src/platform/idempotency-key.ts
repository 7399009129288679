import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
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

/**
 * The caller's `Idempotency-Key`, or undefined when there is none (`decisions.md`, General).
 * @throws AppError 400 it is not 1 to 255 printable characters
 */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined => {
    const key = context.switchToHttp().getRequest<FastifyRequest>().headers['idempotency-key'];
    if (key === undefined) return undefined;
    if (typeof key === 'string' && PRINTABLE.test(key)) return key;
    throw new AppError(
      400,
      'INVALID_IDEMPOTENCY_KEY',
      'The Idempotency-Key must have 1 to 255 printable ASCII characters.',
    );
  },
  [described],
);
