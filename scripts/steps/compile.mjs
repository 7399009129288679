import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from '@swc/core';
import { Explained, ROOT } from './run.mjs';

/** The sources of the API. */
export const API_SOURCES = ['apps/api/src', 'libs'];
const LEFT_OUT = /\.(?:spec|suite|d)\.ts$|\/testing(?:\/|\.ts$)|\/__snapshots__\/|^libs\/sdk\//;

/**
 * Whether a file of the sources belongs to the program. Specs, their tools and declarations do not, nor does the SDK,
 * which has a build of its own.
 * @param {string} file from the root
 */
export const isCompiled = (file) => !LEFT_OUT.test(file.replaceAll('\\', '/'));

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

/**
 * Compiles everything below some places into a folder, at the same places there; what was there before is removed.
 * @param {readonly string[]} places folders or files, from the root
 * @param {string} out from the root
 * @param {ReadonlyMap<string, string>} [changed] sources to compile in place of those on disk, by file from the root
 */
export async function compileAll(places, out, changed = new Map()) {
  for (const place of places) {
    await rm(path.join(ROOT, out, place), { recursive: true, force: true });
    const files = (await filesBelow(place)).filter(isCompiled);
    await Promise.all(files.map((file) => compile(file, out, changed.get(file))));
  }
}

async function filesBelow(place) {
  if ((await stat(path.join(ROOT, place))).isFile()) return [place];
  const found = await readdir(path.join(ROOT, place), { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(ROOT, path.join(parentPath, name)));
}

/**
 * Compiles one file; a file that is not TypeScript is copied.
 * @param {string} file from the root
 * @param {string} out from the root
 * @param {string} [source] in place of that on disk
 */
export async function compile(file, out, source) {
  const [from, to] = [path.join(ROOT, file), path.join(ROOT, out, file)];
  await mkdir(path.dirname(to), { recursive: true });
  if (!file.endsWith('.ts')) return copyFile(from, to);
  // Relative, so that the compiled folder may be moved together with its sources.
  const sourceFileName = path.relative(path.dirname(to), from);
  const { code } = await transform(source ?? (await readFile(from, 'utf8')), {
    ...SWC,
    filename: from,
    sourceFileName,
  }).catch(explain);
  await writeFile(to.replace(/\.ts$/, '.js'), code);
}

/** What does not compile, and where; what follows in the compiler's message is of the compiler itself. */
function explain({ message }) {
  throw new Explained(message.split('\n\n\nCaused by:')[0].trim());
}
