import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { say, step } from './progress.mjs';
import { bin, Explained, run } from './run.mjs';

/** The shell first: the same engine without the parts that tests do not show, which cost a third of its work. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];

const programFiles = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].filter(
  Boolean,
);
const PLACES = {
  linux: ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome', '/usr/lib/chromium'].flatMap((folder) =>
    NAMES.map((name) => path.join(folder, name)),
  ),
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: programFiles.flatMap((folder) => [
    path.join(folder, 'Google/Chrome/Application/chrome.exe'),
    path.join(folder, 'Chromium/Application/chrome.exe'),
    path.join(folder, 'Microsoft/Edge/Application/msedge.exe'),
  ]),
};

/**
 * Finds a Chromium or Chrome for the browser tests: the one that `CHROMIUM` names, an installed one, or one that
 * Playwright downloaded earlier. Otherwise gets one by Playwright's download or, if permitted, from the system's
 * packages.
 * @returns {Promise<string>} path of its program
 */
export async function findOrInstallChromium() {
  const named = process.env.CHROMIUM?.trim();
  if (named) {
    if (await runs(named)) return named;
    throw new Explained(`CHROMIUM names ${named}, which cannot run.`);
  }
  const onPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  for (const candidate of [...onPath, ...(PLACES[process.platform] ?? [])]) {
    if (isProgram(candidate) && (await runs(candidate))) return candidate;
  }
  const { chromium } = await import('@playwright/test');
  const downloaded = chromium.executablePath();
  if (existsSync(downloaded) && (await runs(downloaded))) return downloaded;
  return install(downloaded);
}

async function install(downloaded) {
  say('No Chromium or Chrome was found.');
  const byPlaywright = await step("Downloading Chromium (Playwright's)", () =>
    run(process.execPath, [bin('@playwright/test/cli.js'), 'install', 'chromium']),
  );
  if (byPlaywright.code === 0 && (await runs(downloaded))) return downloaded;
  if (process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get')) {
    say('It does not run here. Installing the system’s package instead.');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await step('Reading the list of packages (apt-get update)', () => run('apt-get', ['update'], { env }));
    for (const name of ['chromium-headless-shell', 'chromium']) {
      const packages = ['install', '-y', '--no-install-recommends', name];
      await step(`Installing ${name} (apt-get)`, () => run('apt-get', packages, { env }));
      if (await runs(`/usr/bin/${name}`)) return `/usr/bin/${name}`;
    }
  }
  throw new Explained(
    'No Chromium or Chrome runs here, and none could be installed. Install one, or set its path: CHROMIUM=/path/to/chrome npm test',
  );
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * An existing program may still lack its libraries. On Windows `--version` opens a window, so existence must be enough.
 */
async function runs(file) {
  if (process.platform === 'win32') return existsSync(file);
  const { code } = await run(file, ['--version', '--no-sandbox']).catch(() => ({ code: 1 }));
  return code === 0;
}
