/**
 * Mutation testing of the ledger's domain and of money: each mutant is a small fault, and a spec must notice it.
 * `npm run test:mutation` runs all of it, `-- --mutate FILE` one file; what did not change since is not run again.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: [
    'libs/domain/src/{ledger,money}/**/*.ts',
    '!libs/domain/src/**/*.spec.ts',
    '!libs/domain/src/**/testing/**',
    // Types alone.
    '!libs/domain/src/ledger/{commands,events,rejections}.ts',
  ],
  testRunner: 'jest',
  jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.mjs', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  incremental: true,
  incrementalFile: '.cache/mutation/incremental.json',
  tempDirName: '.cache/mutation/sandbox',
  // The specs and what they need, nothing else.
  ignorePatterns: ['**', '!{libs/domain,test/mutation,test/support}/**', '!package.json', '!jest.config.mjs'],
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  htmlReporter: { fileName: '.cache/mutation/report.html' },
  jsonReporter: { fileName: '.cache/mutation/report.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
  concurrency: 2,
  // A runner keeps something of every mutant: without this it had grown to two gigabytes after some seventy of them.
  maxTestRunnerReuse: 40,
  // On top of three times what a mutant's specs take; a mutant that loops for ever is one that was killed.
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 10,
};
