/** `npm run -s ledger -- COMMAND`: the finance command line, on the built program. */
import { spawnSync } from 'node:child_process';
import { build, installPackages } from './steps/prepare.mjs';
import { speakOnStandardError } from './steps/progress.mjs';
import { endWith, requireNode } from './steps/run.mjs';

requireNode();
speakOnStandardError();
try {
  await installPackages();
  await build(['api']);
  const args = ['dist/apps/api/src/finance/cli.js', ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} catch (error) {
  endWith(error);
}
