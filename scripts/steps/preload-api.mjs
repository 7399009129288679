/**
 * Loaded into the API of `npm start`, which may start when the client is built. Until then it loads its code, the longest
 * part of a start.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { ROOT } from './run.mjs';
import { waitToStart } from './wait-to-start.mjs';

// Threads inherit the arguments of the process.
if (isMainThread) {
  await import(pathToFileURL(path.join(ROOT, 'dist/apps/api/src/create-app.js')).href);
  await waitToStart();
}
