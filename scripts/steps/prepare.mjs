import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { say, step } from './progress.mjs';
import { bin, npm, ROOT, runOrExplain } from './run.mjs';
import { withoutSecrets } from './secrets.mjs';

const inRoot = (...parts) => path.join(ROOT, ...parts);

/** Installs the packages of the lock file if the installed ones differ. */
export async function installPackages() {
  const reason = whyNotInstalled();
  if (!reason) return;
  say(reason);
  // The tools that build and test are development packages, needed even if NODE_ENV is production.
  const [program, args] = npm(['ci', '--include=dev', '--no-audit', '--no-fund']);
  await step('Installing packages (npm ci)', () =>
    runOrExplain('Installing packages', program, args, { env: withoutSecrets(process.env) }),
  );
}

/**
 * Compared by content rather than by file times: a checkout or a copy changes times without changing packages.
 * npm writes `node_modules/.package-lock.json` last, so an interrupted installation counts as none.
 */
function whyNotInstalled() {
  const installedFile = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return 'No packages are installed yet.';
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages ?? {};
  const wanted = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages ?? {};
  for (const [place, { version, optional, link }] of Object.entries(wanted)) {
    if (!place || link) continue;
    const found = installed[place];
    if (found?.version === version || (!found && optional)) continue;
    return `The lock file asks for ${place.replace(/^node_modules\//, '')} ${version}, but ${found?.version ?? 'nothing'} is installed.`;
  }
  return undefined;
}

const PARTS = {
  api: {
    title: 'Building the API',
    sources: ['apps/api', 'libs', 'tsconfig.json', 'scripts/steps/compile.mjs', 'package-lock.json'],
    ignore: /\.(spec|suite)\.ts$/,
    output: 'dist/apps/api/src/main.js',
    command: [inRoot('scripts/build-api.mjs')],
  },
  web: {
    title: 'Building the client',
    sources: ['apps/web', 'libs/domain', 'tsconfig.json', 'package-lock.json'],
    ignore: /\.(spec|suite)\.tsx?$/,
    output: 'dist/apps/web/index.html',
    command: [bin('vite/bin/vite.js'), 'build', 'apps/web'],
  },
};

/**
 * Builds the parts that have changed since their last complete build, at the same time.
 * @param {('api' | 'web')[]} [parts]
 */
export const build = (parts = ['api', 'web']) => Promise.all(parts.map(buildPart));

async function buildPart(name) {
  const part = PARTS[name];
  const stamp = inRoot('dist', '.built', name);
  const hash = hashOf(part);
  const built = existsSync(inRoot(part.output)) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (built === hash) return;
  // Removed first and written last, so that a build that was interrupted is not taken for a complete one.
  rmSync(stamp, { force: true });
  await step(part.title, () =>
    runOrExplain(part.title, process.execPath, part.command, { env: withoutSecrets(process.env) }),
  );
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

function hashOf({ sources, ignore }) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const source of sources) {
    for (const file of filesOf(source)) {
      if (!ignore.test(file))
        hash
          .update(file)
          .update('\0')
          .update(readFileSync(inRoot(file)))
          .update('\0');
    }
  }
  return hash.digest('hex');
}

function filesOf(source) {
  const place = inRoot(source);
  if (!existsSync(place)) return [];
  if (statSync(place).isFile()) return [source];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted();
}
