/**
 * `npm run simulate [-- --seed N]`: servers, store and members in one process, with simulated time and faults that a seed
 * determines (`docs/testing.md`). The simulator loads the project's TypeScript as it is, itself included.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { transformSync } from '@swc/core';
import { installPackages } from './steps/prepare.mjs';
import { endWith, requireNode, ROOT } from './steps/run.mjs';

requireNode();
try {
  await installPackages();
  const load = openLoader()({ root: ROOT, surroundings: globalThis });
  const { simulate } = load('test/simulator/main.ts');
  process.exitCode = await simulate({ root: ROOT, load }, process.argv.slice(2));
} catch (error) {
  endWith(error);
}

/** The loader cannot load itself. */
function openLoader() {
  const file = path.join(ROOT, 'test/simulator/loader.ts');
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    filename: file,
    swcrc: false,
    configFile: false,
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  });
  const exports = {};
  vm.compileFunction(code, ['exports', 'require'], { filename: file })(exports, createRequire(file));
  return exports.createLoader;
}
