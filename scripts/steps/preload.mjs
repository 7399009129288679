/**
 * Loaded into the API that is to follow the one that runs (`npm run dev`): it has its packages ready, the longest part of a
 * start, and waits until it is wanted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { ROOT } from './run.mjs';

// Threads are given what the process was given.
if (isMainThread) {
  const compiled = readdirSync(path.join(ROOT, 'dist/dev'), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.js'))
    .map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8'));
  const packages = compiled.flatMap((code) => [...code.matchAll(/^(?:import|export) [^;]*?from "([^."][^"]*)"/gm)]);
  await Promise.all([...new Set(packages.map(([, name]) => name))].map((name) => import(name)));
  await new Promise((resolve) => process.once('message', resolve));
}
