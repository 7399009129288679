import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { API_SOURCES, compile, compileAll, isCompiled } from './compile.mjs';
import { say, step } from './progress.mjs';
import { bin, FOLLOW_LAUNCHER, ROOT } from './run.mjs';
import { withoutSecrets } from './secrets.mjs';

/** Compiled separately from the build, so that neither takes the other's files for its own. */
const COMPILED = 'dist/dev';
/** Editors write a file in several steps, and several files at once. */
const SETTLED_MS = 30;

/** Compiles the API, all of it. */
export const compileApi = () => step('Compiling the API', () => compileAll(API_SOURCES, COMPILED));

/**
 * Compiles saved files, and reports them once all of them compile. Names files that do not compile, and leaves the
 * running API unchanged.
 * @param {(files: readonly string[]) => void} onCompiled gets the compiled files, as paths from the root
 */
export function watchApi(onCompiled) {
  const changed = new Set();
  let timer;
  const compileChanged = async () => {
    const files = [...changed];
    changed.clear();
    for (const file of files) {
      try {
        if ((await stat(path.join(ROOT, file))).isFile()) await compile(file, COMPILED);
      } catch (error) {
        // A deleted file is no fault by itself: code that still needs it will fail.
        if (error.code === 'ENOENT') continue;
        changed.add(file);
        say(error.message);
      }
    }
    if (changed.size === 0) onCompiled(files);
  };
  for (const folder of API_SOURCES) {
    watch(path.join(ROOT, folder), { recursive: true }, (_event, name) => {
      if (!name || !isCompiled(path.join(folder, name))) return;
      changed.add(path.join(folder, name));
      clearTimeout(timer);
      timer = setTimeout(() => void compileChanged(), SETTLED_MS);
    });
  }
}

/** Loaded by an API that waits for the next change. */
export const PRELOAD = pathToFileURL(path.join(ROOT, 'scripts/steps/preload.mjs')).href;

/**
 * Serves the client's sources with Vite, which passes other requests to the API and updates pages when files are saved.
 */
export const serveClient = (apiUrl) =>
  spawn(
    process.execPath,
    ['--import', FOLLOW_LAUNCHER, bin('vite/bin/vite.js'), 'apps/web', '--clearScreen', 'false', '--logLevel', 'warn'],
    {
      cwd: ROOT,
      env: { ...withoutSecrets(process.env), API_URL: apiUrl },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: process.platform !== 'win32',
    },
  );

/** The embedded Postgres. The launcher owns it, so that it keeps running while one API follows another. */
export async function openDatabase(dataDir) {
  const module = path.join(ROOT, COMPILED, 'apps/api/src/platform/embedded-postgres.js');
  const { ensurePostgres } = await import(pathToFileURL(module).href);
  return ensurePostgres({ dataDir, log: say });
}
