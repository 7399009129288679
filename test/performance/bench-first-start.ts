import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './bench-http.js';
import type { Figure } from './report.js';

const READY_SECONDS_MAX = 10;
const PACKAGES_MB_MAX = 500;
const PATIENCE_MS = 180_000;
/** What would make the start another than that on an empty machine. */
const OURS = /^(?:npm_|DATABASE_URL|EVENTSTORE_URL|PUBLIC_URL|NODE_ENV|NOVA_|HOST$|PORT$|DEMO_DATA|LOG_LEVEL)/;

/**
 * The first `npm start` of a clone whose packages are installed: it builds everything, and makes a database. The clone
 * has what is committed.
 */
export async function benchFirstStart(): Promise<Figure[]> {
  const packages = await realpath('node_modules');
  const clone = await mkdtemp(path.join(tmpdir(), 'nova-first-start-'));
  try {
    // Postgres does not run as root, and the other account must come through.
    await chmod(clone, 0o711);
    const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x'], { cwd: clone, input: archive });
    await symlink(packages, path.join(clone, 'node_modules'), 'junction');
    const group = 'first start of a clone';
    return [
      {
        group,
        name: 'packages installed until ready',
        value: await secondsUntilReady(clone),
        unit: 's',
        goal: { at: '<=', value: READY_SECONDS_MAX },
      },
      {
        group,
        name: 'packages on disk',
        value: (await bytesOnDisk(packages)) / 1e6,
        unit: 'MB',
        goal: { at: '<=', value: PACKAGES_MB_MAX },
      },
    ];
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
}

async function secondsUntilReady(clone: string): Promise<number> {
  const port = await freePort();
  const begun = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: clone,
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name))),
      PORT: String(port),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    await ready(port, npm);
    return (performance.now() - begun) / 1_000;
  } finally {
    if (npm.exitCode === null) {
      const ended = once(npm, 'exit');
      await stop(clone, npm);
      await ended;
    }
  }
}

async function ready(port: number, npm: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error(`npm start was not ready within ${PATIENCE_MS / 1_000} s`);
}

/** Through the launcher, for which npm does not wait. */
async function stop(clone: string, npm: ChildProcess): Promise<void> {
  const running = await readFile(path.join(clone, '.nova/running.json'), 'utf8').catch(() => undefined);
  if (running === undefined) npm.kill();
  else process.kill((JSON.parse(running) as { readonly launcher: number }).launcher, 'SIGINT');
}

/** As `du` counts it: a file with two names once. */
async function bytesOnDisk(folder: string, counted = new Set<number>()): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    const { ino, blocks } = await lstat(place);
    if (counted.has(ino)) continue;
    counted.add(ino);
    bytes += blocks * 512 + (entry.isDirectory() ? await bytesOnDisk(place, counted) : 0);
  }
  return bytes;
}
