/**
 * `npm run test:abuse [-- NAME]`: expensive requests to the built program: the whole catalogue, or the requests whose
 * names contain NAME.
 */
import { build, installPackages } from './steps/prepare.mjs';
import { bin, endWith, requireNode, run } from './steps/run.mjs';

const TIMEOUT_MS = 1_800_000;

requireNode();
try {
  const name = process.argv[2];
  await installPackages();
  await build(['api']);
  const args = [bin('jest/bin/jest.js'), '--selectProjects', 'abuse', '--runInBand', `--testTimeout=${TIMEOUT_MS}`];
  if (name !== undefined) args.push('-t', name);
  const { code } = await run(process.execPath, args, { env: process.env, show: true });
  process.exitCode = code ?? 1;
} catch (error) {
  endWith(error);
}
