/**
 * Loaded into the server that is attacked (`--import`): whoever connects to the port of `ABUSE_MONITOR_PORT` is told for how many
 * milliseconds the event loop stood still at most since somebody last asked.
 */
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** How often the loop is looked at: what it stood still is what a look came late. */
const RESOLUTION_MS = 1;

const port = Number(process.env['ABUSE_MONITOR_PORT'] ?? 0);
if (isMainThread && port > 0) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(String(Math.max(0, delay.max / 1e6 - RESOLUTION_MS)));
    delay.reset();
  });
  // Processes that the server starts inherit its settings.
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1').unref();
}
