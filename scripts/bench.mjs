/** `npm run bench [-- --only gifts,http] [--seconds N]`: measures the built program, prints a table, writes JSON. */
import { build, installPackages } from './steps/prepare.mjs';
import { endWith, requireNode, run } from './steps/run.mjs';
import { V8_FLAGS } from './steps/v8-flags.mjs';

requireNode();
try {
  await installPackages();
  await build(['api', 'web']);
  const { compileAll } = await import('./steps/compile.mjs');
  await compileAll(['test/performance', 'test/support/secrets.ts'], 'dist');
  const args = ['--expose-gc', ...V8_FLAGS, 'dist/test/performance/main.js', ...process.argv.slice(2)];
  const { code } = await run(process.execPath, args, { show: true });
  process.exitCode = code ?? 1;
} catch (error) {
  endWith(error);
}
