const circus = require('jest-circus/runner');
const { createEmptyTestResult } = require('@jest/test-result');
const notes = require('./spec-notes.cjs');

// Stryker takes coverage a test only from runners that are called `jest-circus` something.
const run = circus.default ?? circus;

const MUTANT = '__STRYKER_ACTIVE_MUTANT__';

/** The mutant that a spec has killed: no other needs to see it. */
let killed;

/** Jest's own runner, but for spec files that have nothing to say: without a test of this mutant, or after it was killed. */
module.exports = async (globalConfig, config, environment, runtime, spec, ...more) => {
  const mutant = process.env[MUTANT];
  if (mutant !== undefined && (killed === mutant || !concerns(spec, globalConfig.testNamePattern)))
    return nothing(spec);
  if (process.env.STRYKER_MUTATOR_WORKER === undefined)
    return run(globalConfig, config, environment, runtime, spec, ...more);
  const startedAt = performance.now();
  const result = await run(globalConfig, config, environment, runtime, spec, ...more);
  if (mutant === undefined)
    notes.note(
      spec,
      Math.round(performance.now() - startedAt),
      result.testResults.map(({ fullName }) => fullName),
    );
  else if (result.numFailingTests > 0 || result.testExecError) {
    killed = mutant;
    notes.noteKiller(spec);
  }
  return result;
};

function concerns(spec, pattern) {
  const tests = notes.noteOf(spec)?.tests;
  if (!tests || !pattern) return true;
  const wanted = new RegExp(pattern, 'i');
  return tests.some((name) => wanted.test(name));
}

/** Jest takes a file without a test for a mistake: one test, passed over. */
const nothing = (testFilePath) => ({
  ...createEmptyTestResult(),
  testFilePath,
  numPendingTests: 1,
  testResults: [{ ...PASSED_OVER }],
});

const PASSED_OVER = {
  ancestorTitles: [],
  failureDetails: [],
  failureMessages: [],
  fullName: 'passed over',
  numPassingAsserts: 0,
  status: 'pending',
  title: 'passed over',
};
