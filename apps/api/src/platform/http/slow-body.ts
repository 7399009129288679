import type { IncomingMessage } from 'node:http';

/** Ends the connection of a request that has not arrived whole by then. */
export function endUnlessWhole(request: IncomingMessage, timeoutMs: number): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, timeoutMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
}
