/**
 * `npm test`: the tests that each change needs, with one line of counts at the end. `--all` adds the long kinds and the
 * slow specs, which run each night; `--only KIND` runs one kind, and names of spec files run these alone. With `--delays`
 * first, Postgres is behind a proxy that lets everything wait a little.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findOrInstallChromium } from './steps/chromium.mjs';
import { build, installPackages } from './steps/prepare.mjs';
import { say, secondsSince } from './steps/progress.mjs';
import { bin, endWith, Explained, requireNode, ROOT, run } from './steps/run.mjs';
import { delayed, startTestPostgres } from './steps/test-postgres.mjs';

const KINDS = [
  'pure',
  'components',
  'integration',
  'acceptance',
  'coverage',
  'simulator',
  'machinery',
  'crash',
  'e2e',
  'eventstoredb',
];
/**
 * These take minutes: they kill processes, cut connections and fill disks. Run them by name after a change to what they
 * test.
 */
const LONG = new Set(['machinery', 'crash']);
/** These need only the sources: neither a build nor a database. */
const SOURCES_ONLY = new Set(['pure', 'components', 'simulator']);
/**
 * Each test starts several processes, or crashes on purpose: two such files at once would slow each other down too
 * much.
 */
const ONE_AT_A_TIME = new Set(['machinery', 'crash']);
/** These tests wait for Postgres and for time to pass, more than they compute. */
const WORKERS = { integration: 4, acceptance: 4 };
const WORKERS_DEFAULT = 2;
const CRASH_ROUNDS = '3';
/** Of the simulator: so many runs without a bug, and so many at most for each bug that is planted. */
const SEEDS = '500';
const SEEDS_PER_PLANT = '100';
/** The same of several journals, whose bugs are found sooner. */
const PARTITION_SEEDS = '60';
/** Of whole servers a run takes seconds. */
const SERVER_SEEDS = '20';
/** The most lines of a failure's message in the list at the end. */
const FAILURE_LINES = 40;
const TEST_TIMEOUT_MS = {
  pure: 60_000,
  components: 60_000,
  integration: 90_000,
  acceptance: 180_000,
  machinery: 300_000,
  crash: 900_000,
  eventstoredb: 60_000,
};
const RESULTS = path.join(ROOT, 'dist/test-results');

/** @typedef {{ passed: number, failed: number, skipped: string[], failures?: string[] }} Outcome */

requireNode();
const [isDelayed, given] = withoutFlag('--delays', process.argv.slice(2));
const { only, files, all } = readArguments(given);
/** Integration, acceptance and browser specs that take ten seconds or more may have `.slow` in their names. */
const skipsSlow = !only && !files && !all;
if (skipsSlow) process.env.SKIP_SLOW_SPECS = 'true';
const kinds = KINDS.filter((kind) => files?.has(kind) ?? (only ? kind === only : all || !LONG.has(kind)));
let stopPostgres = async () => undefined;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void stopPostgres().finally(() => process.exit(130)));

try {
  const start = performance.now();
  await installPackages();
  if (!kinds.every((kind) => SOURCES_ONLY.has(kind))) await build(files && !files.has('e2e') ? ['api'] : undefined);
  mkdirSync(RESULTS, { recursive: true });
  const outcomes = await runKinds();
  process.exitCode = report(outcomes, secondsSince(start));
} catch (error) {
  endWith(error);
}

/** Whether the first argument is this flag, and the others. */
function withoutFlag(flag, [first, ...others]) {
  if (first === undefined) return [false, []];
  return first === flag ? [true, others] : [false, [first, ...others]];
}

/** @returns {{ only?: string, files?: Map<string, string[]>, all?: boolean }} the kind, or the files by their kinds */
function readArguments(args) {
  if (args.length === 0) return {};
  const [flag, kind] = args;
  if (flag === '--all' && args.length === 1) return { all: true };
  if (flag === '--only' && args.length === 2 && KINDS.includes(kind)) return { only: kind };
  const byKind = new Map();
  // npm goes to the project's root first.
  for (const name of args) addFile(byKind, path.resolve(process.env.INIT_CWD ?? '', name));
  return { files: byKind };
}

function addFile(byKind, name) {
  const file = path.relative(ROOT, name).replaceAll('\\', '/');
  const kind = existsSync(name) ? kindOf(file) : undefined;
  if (!kind) {
    console.error(
      `${file} is not a spec file.\nusage: npm test -- [--delays] [--all | --only ${KINDS.join('|')} | FILE…]`,
    );
    process.exit(2);
  }
  byKind.set(kind, [...(byKind.get(kind) ?? []), file]);
}

/** As in the projects of `jest.config.mjs` and of Playwright. */
function kindOf(file) {
  if (file.startsWith('..')) return undefined;
  if (file.startsWith('apps/web/') && file.endsWith('.spec.tsx')) return 'components';
  if (!file.endsWith('.spec.ts')) return undefined;
  const [, folder] = /^test\/(\w+)\//.exec(file) ?? [];
  if (folder) return KINDS.includes(folder) ? folder : undefined;
  if (file.endsWith('.int.spec.ts')) return 'integration';
  return file.endsWith('.eventstoredb.spec.ts') ? 'eventstoredb' : 'pure';
}

/** @returns {Promise<Map<string, Outcome>>} */
async function runKinds() {
  if (kinds.length === 1 && kinds[0] === 'eventstoredb' && !process.env.EVENTSTORE_URL) {
    throw new Explained(
      'EVENTSTORE_URL is not set: start an EventStoreDB and name it, e.g. EVENTSTORE_URL=esdb://127.0.0.1:2113?tls=false',
    );
  }
  const postgres = kinds.every((kind) => SOURCES_ONLY.has(kind))
    ? { url: '', stop: async () => undefined }
    : await startTestPostgres().then((started) => (isDelayed ? delayed(started) : started));
  stopPostgres = postgres.stop;
  const outcomes = new Map();
  try {
    for (const kind of kinds) {
      say(`\n── ${kind} ${'─'.repeat(60 - kind.length)}`);
      const start = performance.now();
      outcomes.set(kind, await runKind(kind, { ...process.env, TEST_DATABASE_URL: postgres.url }));
      say(`   ${kind} took ${secondsSince(start)}`);
    }
  } finally {
    await postgres.stop();
  }
  return outcomes;
}

/** @returns {Promise<Outcome>} */
async function runKind(kind, env) {
  switch (kind) {
    case 'coverage':
      return compareWithSpecification();
    case 'e2e':
      return runBrowserTests(env);
    case 'simulator':
      return simulate();
    case 'eventstoredb':
      if (env.EVENTSTORE_URL) return runJest(kind, env);
      return { passed: 0, failed: 0, skipped: ['the suite against a real EventStoreDB: EVENTSTORE_URL is not set'] };
    case 'machinery':
      return runJest(kind, only || files ? { MACHINERY: 'full', ...env } : env);
    case 'crash':
      return runJest(kind, { CRASH_ROUNDS, ...env });
    default:
      return runJest(kind, env);
  }
}

async function runJest(kind, env) {
  const file = path.join(RESULTS, `${kind}.json`);
  rmSync(file, { force: true });
  const args = [
    bin('jest/bin/jest.js'),
    '--selectProjects',
    kind,
    '--json',
    `--outputFile=${file}`,
    `--testTimeout=${TEST_TIMEOUT_MS[kind]}`,
    ...(files ? ['--runTestsByPath', ...files.get(kind)] : []),
    // Elsewhere two workers hide each other's waits even on one core.
    ...(ONE_AT_A_TIME.has(kind) ? ['--runInBand'] : [`--maxWorkers=${WORKERS[kind] ?? WORKERS_DEFAULT}`]),
    // In one process, anything that a failed test leaves open would keep the run from ending. Jest ends workers itself.
    ...(ONE_AT_A_TIME.has(kind) || files ? ['--forceExit'] : []),
  ];
  const { code } = await runShowingErrors(args, env);
  const result = readJson(file);
  if (!result) return crashed(kind, code);
  const skipped = result.testResults.flatMap((suite) =>
    suite.assertionResults
      .filter(({ status }) => status === 'pending' || status === 'todo')
      .map(({ fullName }) => `${path.relative(ROOT, suite.name)}: ${fullName}`),
  );
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return {
    passed: result.numPassedTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped,
    failures: result.testResults.flatMap(failuresInSuite),
  };
}

/** A suite that could not run has no results of its own. */
function failuresInSuite({ name, status, message, assertionResults }) {
  const file = path.relative(ROOT, name);
  const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
  if (status === 'failed' && failed.length === 0) return [failure(file, message)];
  return failed.map(({ fullName, failureMessages }) => failure(`${file}: ${fullName}`, failureMessages.join('\n')));
}

/** The name of the failed test and the beginning of its message. */
function failure(what, why = '') {
  const lines = stripVTControlCharacters(why)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [what, ...lines.slice(0, FAILURE_LINES).map((line) => `    ${line}`)].join('\n');
}

/** Jest writes its readable report to standard error, and the JSON that we read from a file to standard output. */
async function runShowingErrors(args, env) {
  return run(process.execPath, args, { env, show: ['ignore', 'ignore', 'inherit'] });
}

async function runBrowserTests(env) {
  const file = path.join(RESULTS, 'e2e.json');
  rmSync(file, { force: true });
  let chromium;
  try {
    chromium = await findOrInstallChromium();
  } catch (error) {
    if (!(error instanceof Explained)) throw error;
    say(error.message);
    return { passed: 0, failed: 1, skipped: [] };
  }
  say(`Browser: ${chromium}`);
  const args = ['test', '--reporter=list,json', ...(files?.get('e2e') ?? [])];
  const { code } = await run(process.execPath, [bin('@playwright/test/cli.js'), ...args], {
    env: { ...env, CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    show: true,
  });
  const result = readJson(file);
  if (!result) return crashed('e2e', code);
  const { expected, unexpected, flaky } = result.stats;
  // A test that fails and then passes counts as failed: it has found something.
  const failed = unexpected + flaky + result.errors.length;
  return {
    passed: expected,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: skippedInBrowser(result.suites),
    failures: [
      ...result.errors.map(({ message }) => failure('e2e', message)),
      ...testsInBrowser(result.suites)
        .filter(({ test }) => ['unexpected', 'flaky'].includes(test.status))
        .map(({ file: spec, title, test }) =>
          failure(
            `${spec}: ${title}`,
            test.results.flatMap(({ errors }) => errors.map(({ message }) => message)).join('\n'),
          ),
        ),
    ],
  };
}

function testsInBrowser(suites) {
  return suites.flatMap((suite) => [
    ...testsInBrowser(suite.suites ?? []),
    ...suite.specs.flatMap(({ title, tests }) => tests.map((test) => ({ file: suite.file, title, test }))),
  ]);
}

function skippedInBrowser(suites) {
  return testsInBrowser(suites)
    .filter(({ test }) => test.status === 'skipped')
    .map(({ file, title, test }) => {
      const reason = test.annotations.find(({ type }) => type === 'skip')?.description;
      return `${file}: ${title}: ${reason ?? 'no reason given'}`;
    });
}

/**
 * The OpenAPI document against the specification's list of calls, by the specification's own checker. In a clone
 * without the specification next to it, `test/acceptance/openapi-coverage.spec.ts` does the check.
 */
async function compareWithSpecification() {
  const checker = path.resolve(ROOT, '../shared/checks/api-coverage.mjs');
  if (!existsSync(checker)) {
    say(
      'The specification’s checker is not beside this clone. test/acceptance/openapi-coverage.spec.ts has checked the same calls.',
    );
    return { passed: 0, failed: 0, skipped: [] };
  }
  const file = path.join(RESULTS, 'openapi.json');
  const described = await run(process.execPath, [path.join(ROOT, 'dist/apps/api/src/openapi.js'), file]);
  if (described.code !== 0) {
    say(described.output);
    return crashed('coverage', described.code);
  }
  const { code, output } = await run(process.execPath, [checker, file]);
  say(output.trim());
  const counts = /(\d+) passed, (\d+) failed\s*$/.exec(output.trim());
  if (!counts || Number(counts[1]) + Number(counts[2]) === 0) return crashed('coverage', code);
  return { passed: Number(counts[1]), failed: Number(counts[2]), skipped: [] };
}

/** One journal's writers, several journals, then whole servers. */
async function simulate() {
  const total = { passed: 0, failed: 0, skipped: [], failures: [] };
  for (const [kind, count] of [
    [[], SEEDS],
    [['--partitions'], PARTITION_SEEDS],
    [['--servers'], SERVER_SEEDS],
  ]) {
    const outcome = await simulateSeeds(kind, count);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    total.failures.push(...(outcome.failures ?? []));
  }
  return total;
}

/** Both halves at once: neither waits for anything but the processor. */
async function simulateSeeds(options, count) {
  const simulator = [path.join(ROOT, 'scripts/simulate.mjs'), ...options];
  const [seeds, plants] = await Promise.all([
    run(process.execPath, [...simulator, '--seeds', count]),
    run(process.execPath, [...simulator, '--plants', '--seeds', SEEDS_PER_PLANT]),
  ]);
  say(seeds.output.trim());
  say(plants.output.trim());
  const lines = plants.output.split('\n');
  const missed = lines.filter((line) => line.startsWith('MISSED'));
  const found = lines.filter((line) => line.startsWith('found')).length;
  if (plants.code !== 0 && missed.length === 0) return crashed('simulator', plants.code);
  return {
    passed: found + (seeds.code === 0 ? 1 : 0),
    failed: missed.length + (seeds.code === 0 ? 0 : 1),
    skipped: [],
    failures: [
      ...(seeds.code === 0 ? [] : [failure('simulator', seeds.output)]),
      ...missed.map((line) => failure(line)),
    ],
  };
}

function crashed(kind, code) {
  say(`The ${kind} tests ended without a report (exit status ${code}).`);
  return { passed: 0, failed: 1, skipped: [] };
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Prints the failures and the counts, and returns the exit status. */
function report(outcomes, duration) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const told = [...outcomes.values()].flatMap(({ failures = [] }) => failures);
  if (told.length) say(`\n── failures ${'─'.repeat(52)}`);
  for (const text of told) say(`${text}\n`);
  say(`\n── summary ${'─'.repeat(53)}`);
  for (const [kind, { passed, failed, skipped }] of outcomes) {
    say(`${kind.padEnd(14)} ${passed} passed, ${failed} failed${skipped.length ? `, ${skipped.length} skipped` : ''}`);
    for (const name of skipped) say(`  skipped: ${name}`);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped.length;
  }
  if (skipsSlow) say(`not run: ${[...LONG].join(', ')}, specs with .slow in their names (npm test -- --all)`);
  say(`took ${duration}`);
  const line = `${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`;
  writeFileSync(path.join(RESULTS, 'summary.txt'), `${line}\n`);
  say(line);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}
