import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors/app-error.js';
import { errorCode } from '../errors/error-code.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { refuseOnSocket } from './raw-refusal.js';
import type { SecurityHeaders } from './security-headers.js';

type Refusal = readonly [statusCode: number, code: ErrorCode, message: string];

const UNREADABLE: Refusal = [400, 'BAD_REQUEST', 'The request could not be understood.'];
/** By Node's codes. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [431, 'HEADERS_TOO_LARGE', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'REQUEST_TIMEOUT', 'The request did not arrive in time.'],
};

/**
 * Answers what Node cannot read as a request, as every error is answered, and ends the connection. An answer that is due to an
 * earlier request goes first, and stays alone: the refusal would be taken for it, or for a part of it.
 */
export function refuseMalformed(error: Error, socket: Socket, securityHeaders: SecurityHeaders): void {
  const due = answerDue(socket);
  if (due?.req.complete) {
    socket.pause();
    due.once('close', () => socket.destroy());
  } else if (socket.writable && due?.headersSent !== true) {
    const refusal = REFUSALS[errorCode(error) ?? ''] ?? UNREADABLE;
    refuseOnSocket(socket, new AppError(...refusal), securityHeaders);
  } else {
    socket.destroy();
  }
}

/** What is to be sent next on a connection: Node's own name for it, by which its own handler of such errors goes as well. */
export const answerDue = (socket: Socket): ServerResponse | undefined =>
  (Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined) ?? undefined;
