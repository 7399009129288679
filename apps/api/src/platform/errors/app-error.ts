import { LedgerBusy } from '@app/ledger';
import type { ErrorCode } from './error-codes.js';

export interface AppErrorOptions {
  /** Additional fields of the answer. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Seconds, for the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Headers of the answer: a challenge, for one. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal that reaches the caller unchanged: status, stable code, a sentence for people (rule general-5). */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly extra: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly statusCode: number,
    readonly code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.extra = options.extra ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }
}

export const unauthenticated = (): AppError => new AppError(401, 'UNAUTHENTICATED', 'Please sign in to continue.');

/** The same answer for absent and for hidden things. */
export const notFound = (what: string): AppError => new AppError(404, 'NOT_FOUND', `${what} was not found.`);

/** @param methods those that the address supports */
export const methodNotAllowed = (methods: readonly string[]): AppError =>
  new AppError(405, 'METHOD_NOT_ALLOWED', 'This address does not support this method.', {
    headers: { allow: methods.join(', ') },
  });

/** The same idempotency key came with something else. */
export const keyReused = (cause?: unknown): AppError =>
  new AppError(
    422,
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used before for something else. Send a new key with a new action.',
    { cause },
  );

/** A call that failed like this has certainly changed nothing. */
export const tookNoEffect = (error: unknown): boolean =>
  error instanceof LedgerBusy || (error instanceof AppError && error.code !== 'OUTCOME_UNKNOWN');
