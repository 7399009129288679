/** `npm run bench [-- --only gifts,http] [--seconds N]`: measures the built program, prints a table, writes JSON. */
import { build, installPackages } from './steps/prepare.mjs';
import { bin, endWith, requireNode, run, runOrExplain } from './steps/run.mjs';

requireNode();
try {
  await installPackages();
  await build(['api', 'web']);
  await runOrExplain('Building the measurements', process.execPath, [bin('@nestjs/cli/bin/nest.js'), 'build', 'bench']);
  // As the product is started.
  const flags = ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'];
  const args = ['--expose-gc', ...flags, 'dist/test/performance/main.js', ...process.argv.slice(2)];
  const { code } = await run(process.execPath, args, { show: true });
  process.exitCode = code ?? 1;
} catch (error) {
  endWith(error);
}
