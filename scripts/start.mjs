/**
 * `npm start`: from a fresh clone to a running product, and back to nothing running. With `--dev` (`npm run dev`) the
 * product runs from its sources, and restarts at each change. Uses only Node's own modules, because it runs before any
 * package is installed.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { uptime } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build, installPackages } from './steps/prepare.mjs';
import { say, secondsSince } from './steps/progress.mjs';
import { endWith, Explained, FOLLOW_LAUNCHER, requireNode, ROOT } from './steps/run.mjs';
import { isGiven, withoutSecrets } from './steps/secrets.mjs';
import { V8_FLAGS } from './steps/v8-flags.mjs';

/** Longer than the API serves on when it is asked to stop (`DRAIN_SECONDS`, at most 60) and finishes work in progress. */
const SHUTDOWN_MS = 85_000;
const PREDECESSOR_MS = 30_000;
const PROGRESS_MS = 10_000;
/** The first admin, whom `tools/demo` registers. */
const DEMO_ADMIN = 'admin@nova.example';

const dataDir = path.resolve(ROOT, process.env.NOVA_DATA_DIR?.trim() || '.nova');
const port = Number(process.env.PORT?.trim() || 3000);
/** Where this machine reaches the API. */
const host = (process.env.HOST?.trim() || '127.0.0.1').replace(/^(?:0\.0\.0\.0|::)$/, '127.0.0.1');
const local = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
const embedded = !isGiven('DATABASE_URL');
const runFile = path.join(dataDir, 'running.json');
const isDev = process.argv.includes('--dev');
const API = isDev ? 'dist/dev/apps/api/src/main.js' : 'dist/apps/api/src/main.js';
/** The product's address for browsers. From sources, Vite serves the client (`apps/web/vite.config.ts`). */
const publicUrl = process.env.PUBLIC_URL?.trim() || `http://localhost:${isDev ? 5173 : port}`;

/** Loaded into an API whose client may still be being built. */
const PRELOAD_API = pathToFileURL(path.join(ROOT, 'scripts/steps/preload-api.mjs')).href;

/** The running processes, and whether they were asked to end. `wake` ends the wait for a change of the sources. */
const state = {
  api: undefined,
  demo: undefined,
  opening: false,
  stopping: false,
  exited: Promise.resolve(),
  wake: () => undefined,
};

requireNode();
// A closed terminal must not turn every line of output into an exception.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(signal));
followNpm();

try {
  const start = performance.now();
  await installPackages();
  const dev = isDev ? await import('./steps/dev.mjs') : undefined;
  // The longest part: meanwhile the API is built, and loads its code.
  const client = dev ? undefined : build(['web']);
  // It is awaited, and a failure is reported, when the API needs the client.
  client?.catch(() => undefined);
  if (!state.stopping) await (dev ? dev.compileApi() : build(['api']));
  if (!state.stopping) await waitForPredecessor();
  if (!state.stopping) await requirePort();
  if (!state.stopping) await (dev ? develop(dev, start) : serve(client, start));
} catch (error) {
  endWith(error);
}

/** Runs the API with its database until one of them ends or the launcher is asked to. */
async function serve(client, start) {
  requireDataFolder();
  const settings = demoSettings();
  keep(spawnApi(settings, [PRELOAD_API]));
  await Promise.race([client, state.exited]);
  // An API that has ended meanwhile hears nothing.
  state.api.send('start', () => undefined);
  void announce(start).then(() => showDemo(settings));
  const { code, signal } = await state.exited;
  const asked = state.stopping;
  state.stopping = true;
  if (!asked)
    say(`\nThe API ended by itself (${signal ? `signal ${signal}` : `exit status ${code}`}). The reason is above.`);
  await stopDatabase();
  rmSync(runFile, { force: true });
  say(asked ? 'Stopped.' : 'Everything is stopped. Start again with `npm start`; no answered request is lost.');
  process.exit(asked && (code === 0 || signal) ? 0 : 1);
}

/** The same from sources: one API follows another, with the same database and the same client. */
async function develop({ openDatabase, PRELOAD, serveClient, watchApi }, start) {
  requireDataFolder();
  state.opening = true;
  const settings = { PUBLIC_URL: publicUrl, ...demoSettings() };
  const database = embedded ? await openDatabase(dataDir) : undefined;
  if (database) settings.DATABASE_URL = database.url;
  const client = serveClient(local);
  const clientEnded = new Promise((resolve) => client.once('exit', resolve));
  void clientEnded.then(() => state.stopping || stop('SIGTERM'));
  /** The API for the next change, prepared as far as possible. */
  let next;
  let begun = start;
  let isChanged = false;
  watchApi((files) => {
    // The code that it has loaded is out of date.
    if (files.some((file) => file.startsWith('libs'))) next?.kill();
    begun = performance.now();
    isChanged = true;
    state.wake();
    state.api?.kill('SIGTERM');
  });
  for (let first = true; !state.stopping; first = false) {
    isChanged = false;
    const changed = new Promise((resolve) => (state.wake = resolve));
    const api = next?.connected && !next.killed ? next : spawnApi(settings, [PRELOAD]);
    next = undefined;
    keep(api);
    api.send('start');
    await announce(begun, first ? undefined : 'Reloaded');
    if (first) showDemo(settings);
    if (api.connected && !isChanged && !state.stopping) next = spawnApi(settings, [PRELOAD]);
    await state.exited;
    if (isChanged || state.stopping) continue;
    say('The API ended by itself. The reason is above. Save one of its files to start it again.');
    await changed;
  }
  next?.kill();
  client.kill('SIGTERM');
  await clientEnded;
  await database?.stop();
  rmSync(runFile, { force: true });
  say('Stopped.');
  process.exit(0);
}

function keep(api) {
  state.api = api;
  writeFileSync(runFile, JSON.stringify({ launcher: process.pid, api: api.pid, url: `http://localhost:${port}` }));
  state.exited = new Promise((resolve) => api.once('exit', (code, signal) => resolve({ code, signal })));
}

function spawnApi(settings, imports = []) {
  return spawn(
    process.execPath,
    [
      '--enable-source-maps',
      ...V8_FLAGS,
      ...[FOLLOW_LAUNCHER, ...imports].flatMap((module) => ['--import', module]),
      path.join(ROOT, API),
    ],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        ...settings,
        NOVA_DATA_DIR: dataDir,
        // In a terminal, a line for each request would drown the lines that people want to read.
        ...(process.stdout.isTTY && !process.env.LOG_LEVEL ? { LOG_LEVEL: 'warn' } : {}),
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A group of its own: Ctrl-C in the terminal reaches only the launcher, which then ends the rest in order.
      detached: process.platform !== 'win32',
    },
  );
}

function requireDataFolder() {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    throw new Explained(`NOVA_DATA_DIR must be a writable folder: ${error.message}`);
  }
}

/** Prints the address once the product answers; until then prints that it is still starting. */
async function announce(start, what = `Nova runs at ${publicUrl}`) {
  const { api } = state;
  let said = performance.now();
  while (!state.stopping && api === state.api && api.connected) {
    const answer = await fetch(`${local}/health/ready`).catch(() => undefined);
    if (answer?.ok) {
      say(`\n${what}  (ready after ${secondsSince(start)}; Ctrl-C ends it)`);
      return;
    }
    if (performance.now() - said > PROGRESS_MS) {
      said = performance.now();
      say(`… Starting (${secondsSince(start)})`);
    }
    await sleep(150);
  }
}

async function stop(signal) {
  if (state.stopping) {
    // Asked a second time, it ends at once.
    state.api?.kill('SIGKILL');
    return;
  }
  state.stopping = true;
  state.wake();
  state.demo?.kill();
  if (!state.api && !state.opening) process.exit(signal === 'SIGINT' ? 130 : 143);
  say('\nStopping: finishing open requests, then the database. (Press Ctrl-C again to stop at once.)');
  // Ctrl-C does not wait for proxies.
  state.api?.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
  const late = await Promise.race([state.exited.then(() => false), sleep(SHUTDOWN_MS, true, { ref: false })]);
  if (late) {
    say('The API did not stop in time. Ending it at once; the next start recovers.');
    state.api.kill('SIGKILL');
  }
}

/** The API ends its own database; this is for an API that could not. */
async function stopDatabase() {
  if (!embedded) return;
  const module = path.join(ROOT, 'dist/apps/api/src/platform/embedded-postgres.js');
  const { stopUnusedPostgres } = await import(pathToFileURL(module).href);
  await stopUnusedPostgres({ dataDir, log: say }).catch((error) =>
    say(`The database could not be stopped: ${error.message}`),
  );
}

/** Fills the demo once the server answers, and prints how to sign in. */
function showDemo({ DEMO_DATA: wanted }) {
  if (wanted !== 'true' || state.stopping) return;
  const env = { ...withoutSecrets(process.env), NOVA_DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: publicUrl };
  state.demo = spawn(process.execPath, [path.join(ROOT, 'tools/demo/main.mjs')], { cwd: ROOT, env, stdio: 'inherit' });
}

/** The demo and its admin, unless the environment says otherwise. */
function demoSettings() {
  const isWanted = wantsDemo();
  return { DEMO_DATA: isWanted, ...(isWanted === 'true' && !isGiven('ADMIN_EMAIL') && { ADMIN_EMAIL: DEMO_ADMIN }) };
}

/** Whether the installation is a demo: one that was empty when it was first started, unless the environment says otherwise. */
function wantsDemo() {
  if (process.env.DEMO_DATA?.trim()) return process.env.DEMO_DATA;
  const marker = path.join(dataDir, 'demo-data');
  const empty = !existsSync(path.join(dataDir, 'postgres')) && !existsSync(path.join(dataDir, 'postgres-location'));
  if (embedded && empty) {
    // Stored, so that a second start continues an interrupted first one.
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(marker, 'This installation began with demo data.\n');
  }
  return String(embedded && existsSync(marker));
}

/**
 * Each installation has one launcher. Names another one that is alive; waits for the processes of one that was killed.
 */
async function waitForPredecessor() {
  const found = readRunFile();
  if (!found) return;
  if (isProcessOf('scripts/start.mjs', found.launcher) && found.launcher !== process.pid) {
    throw new Explained(
      `Nova is already running at ${found.url} (process ${found.launcher}). Stop it there with Ctrl-C first.`,
    );
  }
  for (const deadline = Date.now() + PREDECESSOR_MS; isProcessOf(API, found.api); await sleep(200)) {
    if (Date.now() > deadline) {
      process.kill(found.api, 'SIGKILL');
      await sleep(500);
      break;
    }
  }
  rmSync(runFile, { force: true });
}

function readRunFile() {
  try {
    return JSON.parse(readFileSync(runFile, 'utf8'));
  } catch {
    // The file is absent, or was cut off by a crash: then there is nobody to wait for.
    return undefined;
  }
}

/** Whether the process is alive and runs this script, as far as the system tells: process numbers are reused. */
function isProcessOf(script, pid) {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script);
    process.kill(pid, 0);
    // Numbers from before the last boot of this system are no longer ours.
    return statSync(runFile).mtimeMs > Date.now() - uptime() * 1000;
  } catch {
    // There is no such process, or it belongs to another account.
    return false;
  }
}

function requirePort() {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return undefined; // The API names what is wrong with it.
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', ({ code }) => {
      const why = code === 'EACCES' ? 'may not be used by this account' : 'is taken by another program';
      reject(
        new Explained(
          `Port ${port} ${why}. Choose another port: PORT=${port + 1 > 65_535 ? 3001 : port + 1} npm start`,
        ),
      );
    });
    probe.listen(port, process.env.HOST?.trim() || undefined, () => probe.close(resolve));
  });
}

/** npm may be killed without notice to us; the processes that it started must not stay behind. */
function followNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && !state.stopping && void stop('SIGTERM'), 1_000).unref();
}
