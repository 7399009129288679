/** `npm run -s backup [-- COMMAND]`: makes and restores backups of the installation, with the built program. */
import { build, installPackages } from './steps/prepare.mjs';
import { speakOnStandardError } from './steps/progress.mjs';
import { endWith, passSignalsOn, requireNode, run } from './steps/run.mjs';

requireNode();
speakOnStandardError();
try {
  await installPackages();
  await build(['api']);
  const args = ['dist/apps/api/src/backup/backup-cli.js', ...process.argv.slice(2)];
  passSignalsOn();
  const { code } = await run(process.execPath, args, { show: true });
  process.exitCode = code ?? 1;
} catch (error) {
  endWith(error);
}
