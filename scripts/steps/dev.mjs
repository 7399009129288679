import { spawn } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from '@swc/core';
import { say, step } from './progress.mjs';
import { bin, FOLLOW_LAUNCHER, ROOT } from './run.mjs';
import { withoutSecrets } from './secrets.mjs';

/**
 * The sources of the API. They are compiled separately from the build, so that neither takes the other's files for its
 * own.
 */
const SOURCES = ['apps/api/src', 'libs'];
export const COMPILED = 'dist/dev';
const LEFT_OUT = /\.(?:spec|suite)\.ts$|\/testing\//;
/** Editors write a file in several steps, and several files at once. */
const SETTLED_MS = 30;

const { paths } = JSON.parse(readFileSync(path.join(ROOT, 'tsconfig.json'), 'utf8')).compilerOptions;
/** Compiles each file by itself, without checking types: editors and `npm run check` do that. */
const SWC = {
  swcrc: false,
  configFile: false,
  sourceMaps: 'inline',
  inlineSourcesContent: false,
  module: { type: 'es6', resolveFully: true },
  jsc: {
    target: 'es2023',
    keepClassNames: true,
    baseUrl: ROOT,
    paths,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    experimental: { keepImportAttributes: true },
  },
};

/** Compiles the API, all of it. */
export const compileApi = () =>
  step('Compiling the API', async () => {
    await rm(path.join(ROOT, COMPILED), { recursive: true, force: true });
    for (const folder of SOURCES) {
      const found = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
      const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
      await Promise.all(files.map((file) => compile(path.relative(ROOT, file))));
    }
  });

/** @param {string} file from the root */
async function compile(file) {
  if (LEFT_OUT.test(file.replaceAll('\\', '/'))) return;
  const [from, to] = [path.join(ROOT, file), path.join(ROOT, COMPILED, file)];
  await mkdir(path.dirname(to), { recursive: true });
  if (!file.endsWith('.ts')) return copyFile(from, to);
  const { code } = await transform(await readFile(from, 'utf8'), { ...SWC, filename: from, sourceFileName: from });
  await writeFile(to.replace(/\.ts$/, '.js'), code);
}

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
        if ((await stat(path.join(ROOT, file))).isFile()) await compile(file);
      } catch (error) {
        // A deleted file is no fault by itself: code that still needs it will fail.
        if (error.code === 'ENOENT') continue;
        changed.add(file);
        say(error.message);
      }
    }
    if (changed.size === 0) onCompiled(files);
  };
  for (const folder of SOURCES) {
    watch(path.join(ROOT, folder), { recursive: true }, (_event, name) => {
      if (!name || LEFT_OUT.test(name.replaceAll('\\', '/'))) return;
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
