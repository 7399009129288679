/**
 * Loaded into the API that will follow the running one (`npm run dev`). It loads packages and libraries, the longest
 * part of a start, and waits until it is needed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { ROOT } from './run.mjs';
import { waitToStart } from './wait-to-start.mjs';

// Threads inherit the arguments of the process.
if (isMainThread) {
  const folder = path.join(ROOT, 'dist/dev');
  const compiled = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.js'))
    .map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8'));
  const packages = compiled.flatMap((code) => [...code.matchAll(/^(?:import|export) [^;]*?from "([^."][^"]*)"/gm)]);
  const libraries = readdirSync(path.join(folder, 'libs')).map(
    (name) => pathToFileURL(path.join(folder, 'libs', name, 'src/index.js')).href,
  );
  await Promise.all([...new Set([...packages.map(([, name]) => name), ...libraries])].map((name) => import(name)));
  await waitToStart();
}
