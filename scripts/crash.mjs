/**
 * `npm run test:crash [-- --rounds 100] [-- --event-store stand-in]`: kill -9 of one of three servers, of Postgres, of both, of
 * everything, and of the event store, under load; 25 rounds unless told otherwise. `EVENTSTORE_URL` names a real event store
 * (with `EVENTSTORE_COMMAND` to start it again), `--event-store stand-in` takes the tests' own.
 */
import { parseArgs } from 'node:util';
import { build, installPackages } from './steps/prepare.mjs';
import { bin, endWith, requireNode, run } from './steps/run.mjs';

const ROUNDS_DEFAULT = '25';
const TIMEOUT_MS = 900_000;

requireNode();
try {
  const { rounds, eventStore } = readArguments();
  await installPackages();
  await build(['api']);
  const args = [bin('jest/bin/jest.js'), '--selectProjects', 'crash', '--runInBand', `--testTimeout=${TIMEOUT_MS}`];
  const { code } = await run(process.execPath, [...args, 'crash.spec'], {
    env: { ...process.env, CRASH_ROUNDS: rounds, ...(eventStore ? { EVENTSTORE_URL: eventStore } : {}) },
    show: true,
  });
  process.exitCode = code ?? 1;
} catch (error) {
  endWith(error);
}

function readArguments() {
  try {
    const options = { rounds: { type: 'string' }, 'event-store': { type: 'string' } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const rounds = values.rounds ?? positionals[0] ?? process.env.CRASH_ROUNDS ?? ROUNDS_DEFAULT;
    const eventStore = values['event-store'];
    if (/^[1-9]\d{0,4}$/.test(rounds) && (eventStore === undefined || eventStore === 'stand-in')) {
      return { rounds, eventStore };
    }
  } catch {
    // Told below what there is.
  }
  console.error('usage: npm run test:crash [-- --rounds N] [-- --event-store stand-in]');
  return process.exit(2);
}
