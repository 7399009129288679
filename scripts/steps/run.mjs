import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = path.resolve(fileURLToPath(import.meta.url), '../../..');

/** A failure that its message alone explains. Every other failure is a bug of ours and keeps its stack. */
export class Explained extends Error {}

/** Prints why a script ends and ends it. */
export function endWith(error) {
  console.error(error instanceof Explained ? `\n${error.message}` : error);
  process.exit(1);
}

/** Stops with an explanation on a Node version that the packages do not support. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `Nova needs Node 20.19 or newer, and this is Node ${process.versions.node}. Get Node 24 at https://nodejs.org.`,
  );
  process.exit(1);
}

/** Processes that we started end with us, however we end. */
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/** Passes signals to end on to running processes, and waits for these. */
export function passSignalsOn() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      for (const child of running) child.kill(signal);
    });
  }
}

/**
 * Runs a program from the project's root.
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, show?: boolean | string[] }} [options] `show`: its output goes straight to ours,
 * or to the target given for each stream
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export function run(program, args, { env = process.env, show = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env,
      stdio: stdioFor(show),
      // npm is a batch file on Windows, which only a shell can start.
      shell: process.platform === 'win32' && !program.endsWith('.exe'),
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    let output = '';
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

function stdioFor(show) {
  if (Array.isArray(show)) return show;
  return show ? 'inherit' : ['ignore', 'pipe', 'pipe'];
}

/** As `run`, but a failure ends the script with the program's output. */
export async function runOrExplain(what, program, args, options) {
  const { code, output } = await run(program, args, options);
  if (code !== 0) throw new Explained(`${output.trim()}\n\n${what} failed (exit status ${code}). Its output is above.`);
  return output;
}

/** A script of an installed package, run by this very Node: no shell, no PATH. */
export const bin = (file) => path.join(ROOT, 'node_modules', file);

/** Loaded into a process that we start with a channel to us, so that it ends when we are killed. */
export const FOLLOW_LAUNCHER = pathToFileURL(path.join(ROOT, 'scripts/steps/follow-launcher.mjs')).href;

/** npm's own script if npm started us, else the `npm` on the PATH. */
export function npm(args) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? [process.execPath, [script, ...args]] : ['npm', args];
}
