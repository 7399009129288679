import { defineConfig } from '@playwright/test';

/**
 * Browser tests of the built product. `npm test` runs them with what they need; by hand, after `npm run build`:
 * `npx playwright test`, where `CHROMIUM` names the browser when Playwright's own is not installed.
 */
export default defineConfig({
  testDir: './test/e2e',
  // What `npm test` leaves to `--all` (`scripts/test.mjs`).
  testIgnore: process.env['SKIP_SLOW_SPECS'] ? ['**/*.slow.spec.ts'] : [],
  outputDir: './dist/test-results/e2e',
  globalSetup: './test/e2e/global-setup.ts',
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
    // Colours in the middle of a fade are no one's design; axe would measure them.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Pages as documents, not as films: those take a sixth of a test's work. Nobody opens a trace that CI leaves behind.
    trace: process.env['CI'] === undefined ? { mode: 'retain-on-failure', screenshots: false } : 'off',
    launchOptions: {
      ...(process.env['CHROMIUM'] ? { executablePath: process.env['CHROMIUM'] } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-dev-shm-usage',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Two cameras and some microphones that open without asking.
        '--use-fake-device-for-media-stream=device-count=2',
        '--use-fake-ui-for-media-stream',
      ],
    },
  },
});
