import type { IncomingMessage } from 'node:http';
import { endUnlessWhole } from '../http/slow-body.js';

const LINGER_MS = 10_000;

/**
 * Keeps reading a body after it was refused, so that the client can read the answer. Ends the connection if that takes
 * long.
 */
export function letRefusedBodyEnd(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  endUnlessWhole(request, LINGER_MS);
  request.resume();
}
