import type { IncomingMessage } from 'node:http';

/** Ends a request that has not arrived completely in time: by closing its connection, unless told otherwise. */
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
