import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '../errors/app-error.js';
import { asAppError, renderError, retryAfter } from '../errors/error-body.js';
import type { SecurityHeaders } from './security-headers.js';

const HEADERS = {
  connection: 'close',
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
};

/** Answers what is no request, or none any more, with a refusal and ends the connection. */
export function refuseOnSocket(socket: Duplex, error: unknown, securityHeaders: SecurityHeaders): void {
  const { statusCode, headers, body } = refusal(error);
  const lines = Object.entries({ ...securityHeaders, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.once('finish', () => socket.destroy());
  socket.end([`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`, ...lines, '', body].join('\r\n'));
}

function refusal(error: unknown) {
  const refused = asAppError(error);
  const { statusCode, code, message } = refused;
  const body = renderError(new AppError(statusCode, code, message), randomUUID());
  return {
    statusCode,
    headers: { ...HEADERS, ...retryAfter(refused), 'content-length': Buffer.byteLength(body) },
    body,
  };
}
