/** `npm run test:fuzz [-- REQUESTS]`: requests of all kinds to every call: 40 to each from each person by default. */
import { randomInt } from 'node:crypto';
import { build, installPackages } from './steps/prepare.mjs';
import { bin, endWith, requireNode, run } from './steps/run.mjs';
import { startTestPostgres } from './steps/test-postgres.mjs';

const REQUESTS_DEFAULT = '40';
const TIMEOUT_MS = 3_600_000;
const SEED_MAX = 2 ** 31;

requireNode();
try {
  const requests = process.argv[2] ?? process.env.FUZZ_REQUESTS ?? REQUESTS_DEFAULT;
  const seed = process.env.FUZZ_SEED ?? String(randomInt(SEED_MAX));
  if (!/^[1-9]\d{0,4}$/.test(requests) || !/^\d{1,10}$/.test(seed)) {
    console.error('usage: [FUZZ_SEED=NUMBER] npm run test:fuzz [-- REQUESTS]');
    process.exit(2);
  }
  await installPackages();
  await build(['api']);
  process.exitCode = await fuzz({ FUZZ_SEED: seed, FUZZ_REQUESTS: requests, FUZZ_TIMEOUT_MS: String(TIMEOUT_MS) });
} catch (error) {
  endWith(error);
}

async function fuzz(settings) {
  const postgres = await startTestPostgres();
  try {
    const spec = ['--selectProjects', 'acceptance', '--runInBand', '--testPathPatterns', 'acceptance/fuzz.slow.spec'];
    const env = { ...process.env, TEST_DATABASE_URL: postgres.url, ...settings };
    const { code } = await run(process.execPath, [bin('jest/bin/jest.js'), ...spec], { env, show: true });
    return code ?? 1;
  } finally {
    await postgres.stop();
  }
}
