import type { IncomingMessage } from 'node:http';

/** Ends a request that has not arrived whole by then: with its connection, unless told how. */
export function endUnlessWhole(
  request: IncomingMessage,
  timeoutMs: number,
  end: () => void = () => request.destroy(),
): void {
  const timer = setTimeout(() => {
    if (!request.complete) end();
  }, timeoutMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
}
