import type { IncomingMessage } from 'node:http';
import { endUnlessWhole } from '../http/slow-body.js';

const LINGER_MS = 10_000;

/**
 * Reads on what a client is still sending although it is refused, so that the client gets to read the answer, and ends the
 * connection when that takes long.
 */
export function letRefusedBodyEnd(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  endUnlessWhole(request, LINGER_MS);
  request.resume();
}
