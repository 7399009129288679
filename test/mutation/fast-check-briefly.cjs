const actual = require('fast-check-itself');

const RUNS_MAX = 25;

/** fast-check with fewer tries, that stops at the first counterexample: the smallest one is of no interest here. */
const briefly = {
  ...actual,
  assert: (property, { numRuns = RUNS_MAX, ...options } = {}) =>
    actual.assert(property, { ...options, numRuns: Math.min(numRuns, RUNS_MAX), endOnFailure: true }),
};

module.exports = { ...briefly, default: briefly, __esModule: true };
