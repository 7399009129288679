import { HttpException, Logger } from '@nestjs/common';
import { AppendOutcomeUnknown, StoreUnavailable } from '@app/event-store';
import { ForgedEvent, JournalStopped, LedgerBusy, LedgerOutcomeUnknown } from '@app/ledger';
import { AppError } from './app-error.js';
import { errorCode } from './error-code.js';
import type { ErrorCode } from './error-codes.js';

/** The log for unforeseen errors: the request's own, which has its id. */
type ErrorLog = Record<'warn' | 'error', (details: object, message: string) => void>;

const logger: ErrorLog = new Logger('Errors');

/** The sentence for a malformed request, by the framework's status. */
const FRAMEWORK_ERRORS: Readonly<Record<number, readonly [code: ErrorCode, message: string]>> = {
  400: ['BAD_REQUEST', 'The request could not be understood.'],
  404: ['NOT_FOUND', 'There is nothing at this address.'],
  405: ['METHOD_NOT_ALLOWED', 'This address does not support this method.'],
  413: ['BODY_TOO_LARGE', 'The request is larger than this call allows.'],
  414: ['ADDRESS_TOO_LONG', 'The address of the request is too long.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'The request must be JSON, sent with the content type application/json.'],
  503: ['UNAVAILABLE', 'The server is stopping or starting. Try again in a moment.'],
};

const BODY_ERRORS: Readonly<Record<string, readonly [code: ErrorCode, message: string]>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['INVALID_JSON', 'The request is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['INVALID_JSON', 'The request is empty, but JSON is expected.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BAD_REQUEST', 'The length of the request differs from what its header says.'],
  FST_ERR_BAD_URL: ['BAD_ADDRESS', 'The address of the request is malformed.'],
  // The database's word for a NUL or for bytes that are no text: only a request can have brought them.
  '22021': ['BAD_REQUEST', 'The request has a character that is not allowed.'],
};

/**
 * Database trouble that passes: connections lost or refused, the server starting, stopping, read-only, its disk full or failing, or
 * a right withdrawn from our role.
 */
const UNAVAILABLE = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|25006|42501|57P0[1-5]|(?:08|53|58).{3})$/;
const CONNECTION_LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Turns anything thrown into the shape that callers see. Unforeseen errors are logged and answered without details. */
export function asAppError(error: unknown, log = logger): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof LedgerBusy || error instanceof LedgerOutcomeUnknown) return ledgerError(error);
  if (error instanceof ForgedEvent) return journalStopped(error);
  const code = errorCode(error);
  const body = code === undefined ? undefined : BODY_ERRORS[code];
  if (body) return new AppError(400, body[0], body[1]);
  if (error instanceof SyntaxError && statusOf(error) === 400) {
    return new AppError(400, 'INVALID_JSON', 'The request is not valid JSON.');
  }
  const status = error instanceof HttpException ? error.getStatus() : statusOf(error);
  const known = status === undefined ? undefined : FRAMEWORK_ERRORS[status];
  if (status !== undefined && known) {
    return new AppError(status, known[0], known[1], status === 503 ? { retryAfterSeconds: 1 } : {});
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return new AppError(status, 'REFUSED', 'The request was refused.');
  }
  if (isUnavailable(error)) {
    log.warn({ err: error }, 'a part this request needs is unavailable');
    return new AppError(503, 'UNAVAILABLE', 'The service is not available at the moment. Try again.', {
      retryAfterSeconds: 1,
    });
  }
  log.error({ err: error }, 'unforeseen error');
  return new AppError(500, 'INTERNAL_ERROR', 'Something went wrong on our side. Please try again.');
}

/** The header that tells callers when to try again, where the error says so. */
export const retryAfter = ({ retryAfterSeconds }: AppError): Readonly<Record<string, string>> =>
  retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) };

/** Of a refusal: whoever sends a lot to be refused gets no more for it. */
const REFUSAL_BYTES_MAX = 4_000;
/** An operator has to look at it. */
const STOPPED_RETRY_SECONDS = 60;
const MESSAGE_SHOWN_MAX = 500;

/** `INSUFFICIENT_NOVA`: Insufficient nova. */
const titleOf = (code: string): string => `${code.charAt(0)}${code.slice(1).toLowerCase().replaceAll('_', ' ')}`;

/** The one shape that callers see, as JSON, with the fields of problem details (RFC 9457). What a refusal carries beside its sentence is left out where it would take too much. */
export function renderError({ statusCode, code, message: sentence, extra }: AppError, requestId: string): string {
  const message = sentence.slice(0, MESSAGE_SHOWN_MAX);
  const problem = {
    type: `urn:nova:error:${code}`,
    title: titleOf(code),
    status: statusCode,
    detail: message,
    instance: `urn:uuid:${requestId}`,
  };
  const body = { statusCode, code, message, requestId, ...problem };
  const whole = JSON.stringify({ ...body, ...extra });
  return Buffer.byteLength(whole) <= REFUSAL_BYTES_MAX ? whole : JSON.stringify(body);
}

function ledgerError(error: LedgerBusy | LedgerOutcomeUnknown): AppError {
  if (error instanceof JournalStopped) return journalStopped(error);
  const message =
    error instanceof LedgerBusy
      ? 'Too much is happening right now. Nothing was done; please try again.'
      : 'We could not learn in time whether this took effect. Try again with the same Idempotency-Key.';
  return new AppError(503, error.code, message, { retryAfterSeconds: error.retryAfterSeconds, cause: error });
}

const journalStopped = (cause: JournalStopped | ForgedEvent): AppError =>
  new AppError(
    503,
    'JOURNAL_STOPPED',
    'Nothing can be booked at the moment, and nothing was done. We have to check our books first.',
    { retryAfterSeconds: STOPPED_RETRY_SECONDS, cause },
  );

/** Whether a part was temporarily away or too busy. */
export const isUnavailable = (error: unknown): boolean =>
  (error instanceof AppError && error.statusCode === 503) ||
  error instanceof StoreUnavailable ||
  error instanceof AppendOutcomeUnknown ||
  UNAVAILABLE.test(errorCode(error) ?? '') ||
  (error instanceof Error && CONNECTION_LOST.test(error.message));

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
