const alias = {
  '^@app/(domain|event-store|ledger|projections|stripe-stand-in)$': '<rootDir>/libs/$1/src/index.ts',
  '^@/(.*)$': '<rootDir>/apps/web/src/$1',
  // The process that reads members' files is started from sources as well.
  '/child-entry\\.js$': '<rootDir>/test/support/media-child-entry.ts',
  // So is the thread that prints statements.
  '/pdf-worker-entry\\.js$': '<rootDir>/test/support/pdf-worker-entry.ts',
};

/** Spec files that `npm test` leaves to `--all` (`scripts/test.mjs`). */
const skipped = process.env.SKIP_SLOW_SPECS ? { testPathIgnorePatterns: ['\\.slow\\.(?:int\\.)?spec\\.ts$'] } : {};

/** Spec files of one worker share what they load. */
const shared = { testRunner: '<rootDir>/test/support/kept-modules.cjs' };

/** One project a kind of test, so that the runner can start what each kind needs (`scripts/test.mjs`). */
const project = (displayName, testMatch, more = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  // Not `dist`: a copy of a snapshot there would count as obsolete.
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testEnvironment: 'node',
  testMatch,
  moduleNameMapper: { ...alias, '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.[cm]?[jt]sx?$': '<rootDir>/test/support/jest-swc.cjs' },
  transformIgnorePatterns: ['\\.pnp\\.[^/]+$'],
  setupFiles: ['<rootDir>/test/support/known-warnings.ts'],
  ...more,
});

export default {
  coverageProvider: 'v8',
  projects: [
    project('pure', ['<rootDir>/libs/**/*.spec.ts', '<rootDir>/apps/{api,web}/**/*.spec.ts'], {
      ...shared,
      testPathIgnorePatterns: ['\\.int\\.spec\\.ts$', '\\.eventstoredb\\.spec\\.ts$'],
    }),
    project('components', ['<rootDir>/apps/web/**/*.spec.tsx'], {
      ...shared,
      testEnvironment: '<rootDir>/test/support/browser-environment.cjs',
      setupFilesAfterEnv: ['@testing-library/jest-dom/jest-globals', '<rootDir>/apps/web/src/testing/setup.ts'],
    }),
    project('integration', ['<rootDir>/libs/**/*.int.spec.ts', '<rootDir>/apps/api/**/*.int.spec.ts'], {
      testTimeout: 60_000,
      ...shared,
      ...skipped,
    }),
    project('acceptance', ['<rootDir>/test/acceptance/**/*.spec.ts'], {
      testTimeout: 180_000,
      ...shared,
      ...skipped,
    }),
    project('crash', ['<rootDir>/test/crash/**/*.spec.ts'], { testTimeout: 600_000 }),
    project('abuse', ['<rootDir>/test/abuse/**/*.spec.ts'], { testTimeout: 1_800_000 }),
    project('machinery', ['<rootDir>/test/machinery/**/*.spec.ts'], { testTimeout: 240_000 }),
    project('eventstoredb', ['<rootDir>/libs/**/*.eventstoredb.spec.ts'], { testTimeout: 60_000 }),
  ],
};
