/** `npm run test:crash [-- ROUNDS]`: kill -9 of the API and of Postgres under load, 25 rounds unless told otherwise. */
import { build, installPackages } from './steps/prepare.mjs';
import { bin, endWith, requireNode, run } from './steps/run.mjs';

const ROUNDS_DEFAULT = '25';
const TIMEOUT_MS = 900_000;

requireNode();
try {
  const rounds = process.argv[2] ?? process.env.CRASH_ROUNDS ?? ROUNDS_DEFAULT;
  if (!/^[1-9]\d{0,4}$/.test(rounds)) {
    console.error('usage: npm run test:crash [-- ROUNDS]');
    process.exit(2);
  }
  await installPackages();
  await build(['api']);
  const args = [bin('jest/bin/jest.js'), '--selectProjects', 'crash', '--runInBand', `--testTimeout=${TIMEOUT_MS}`];
  const { code } = await run(process.execPath, [...args, 'crash.spec'], {
    env: { ...process.env, CRASH_ROUNDS: rounds },
    show: true,
  });
  process.exitCode = code ?? 1;
} catch (error) {
  endWith(error);
}
