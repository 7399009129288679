import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/product.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PATIENCE_MS = 90_000;
/** Higher than any process number of Linux. */
const PID_OF_NONE = 2 ** 22 + 1;

/** `npm start` without npm: what it starts, it ends, however it or any part of it ends. */
describe('the launcher', () => {
  let dataDir: string;
  let port: number;
  let launcher: ChildProcess;
  let output: string;
  let ended: Promise<number | null>;

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'nova-launcher-'));
    await chmod(dataDir, 0o711);
    port = await freePort();
  });

  afterEach(async () => {
    launcher.kill('SIGTERM');
    await ended;
  });

  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const launch = (settings: NodeJS.ProcessEnv = {}, ...args: readonly string[]): void => {
    output = '';
    const env = { ...process.env, NOVA_DATA_DIR: dataDir, PORT: String(port), DEMO_DATA: 'false', LOG_LEVEL: 'warn' };
    for (const name of ['DATABASE_URL', 'EVENTSTORE_URL', 'PUBLIC_URL', 'NODE_ENV', 'npm_lifecycle_event'])
      Reflect.deleteProperty(env, name);
    Object.assign(env, settings);
    launcher = spawn(process.execPath, ['scripts/start.mjs', ...args], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = launcher;
    const collect = (chunk: Buffer) => {
      if (started === launcher) output += chunk.toString('utf8');
    };
    launcher.stdout?.on('data', collect);
    launcher.stderr?.on('data', collect);
    ended = new Promise((resolve) => started.once('exit', (code) => resolve(code)));
  };

  const until = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + PATIENCE_MS; !(await condition()); await sleep(50)) {
      if (Date.now() > deadline) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${what}\n${output}`);
    }
  };

  const trustFile = () => path.join(dataDir, 'journal', 'trust.json');
  const runFile = () => path.join(dataDir, 'running.json');
  const apiPid = (): number => JSON.parse(readFileSync(runFile(), 'utf8')).api;
  const postmasterFile = () => path.join(dataDir, 'postgres', 'postmaster.pid');
  const postmasterPid = (): number => Number(readFileSync(postmasterFile(), 'utf8').split('\n')[0]);
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  const nothingRuns = async (pids: readonly number[]): Promise<void> => {
    await until('everything to end', async () => !(await isReady()) && !existsSync(postmasterFile()));
    await until('every process to end', () => pids.every((pid) => !isAlive(pid)));
  };
  const start = async (): Promise<{ api: number; postmaster: number }> => {
    launch();
    await until(
      'Nova to run',
      () => output.includes(`Nova runs at http://localhost:${port}`) || launcher.exitCode !== null,
    );
    expect(output).toContain(`Nova runs at http://localhost:${port}`);
    return { api: apiPid(), postmaster: postmasterPid() };
  };

  it('ends everything on Ctrl-C while it builds the client, for which the API waits', async () => {
    rmSync(path.join(ROOT, 'dist/.built/web'), { force: true });
    launch();
    await until('the API to wait', () => existsSync(runFile()));
    const api = apiPid();
    launcher.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(output).not.toContain('Creating the database');
    await nothingRuns([api]);
  });

  it('ends everything on Ctrl-C, Postgres included', async () => {
    const { api, postmaster } = await start();
    launcher.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(output).toContain('Stopped.');
    await nothingRuns([api, postmaster]);
  });

  it('leaves nothing behind when it is killed, and starts again', async () => {
    const { api, postmaster } = await start();
    launcher.kill('SIGKILL');
    await nothingRuns([api, postmaster]);
    // Killed earlier, when the journal's first event was written but not yet its owner.
    const trust = readFileSync(trustFile(), 'utf8');
    rmSync(trustFile());
    await start();
    expect(readFileSync(trustFile(), 'utf8')).toBe(trust);
    expect(trust).toMatch(/^[0-9a-f]{32}:[0-9a-f]{64}:0\n$/);
  });

  it('starts again at once after it was killed, while its API is still ending', async () => {
    await start();
    launcher.kill('SIGKILL');
    await start();
  });

  it.each(['launcher', 'api'])('leaves a stranger alone who was given the number of its %s', async (part) => {
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)'], { stdio: 'ignore' });
    try {
      const url = `http://localhost:${port}`;
      await writeFile(
        runFile(),
        JSON.stringify({ launcher: PID_OF_NONE, api: PID_OF_NONE, url, [part]: stranger.pid }),
      );
      await start();
      expect(isAlive(stranger.pid!)).toBe(true);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('says so and stops Postgres when the API is killed', async () => {
    const { api, postmaster } = await start();
    process.kill(api, 'SIGKILL');
    expect(await ended).toBe(1);
    expect(output).toContain('The API ended by itself (signal SIGKILL)');
    await nothingRuns([api, postmaster]);
  });

  it('recovers when all but Postgres were killed', async () => {
    const { api, postmaster } = await start();
    launcher.kill('SIGKILL');
    process.kill(api, 'SIGKILL');
    await until('both to end', () => !isAlive(api));
    expect(isAlive(postmaster)).toBe(true);
    expect((await start()).postmaster).toBe(postmaster);
  });

  it('recovers, or ends with a sentence, when Postgres is killed', async () => {
    const { api, postmaster } = await start();
    process.kill(postmaster, 'SIGKILL');
    await until('another Postgres or the end', async () => {
      if (launcher.exitCode !== null) return true;
      return output.includes('The database server runs again.') && (await isReady());
    });
    if (launcher.exitCode === null) {
      expect(postmasterPid()).not.toBe(postmaster);
      return;
    }
    expect(launcher.exitCode).toBe(1);
    expect(output).toContain('Postgres is down and did not come back: ');
    expect(output).not.toMatch(/^\s+at /m);
    await nothingRuns([api]);
  });

  it('serves the sources, and hands over to an API that waits for the next change', async () => {
    launch({}, '--dev');
    await until('Nova to run', () => output.includes('Nova runs at') || launcher.exitCode !== null);
    const postmaster = postmasterPid();
    const isWaiting = (pid: number) => pid !== apiPid() && isAlive(pid);
    await until('an API to wait', () => apisOf(launcher.pid).some(isWaiting));
    // Loading takes less time than this; the waiting process must not end by itself.
    await sleep(10_000);
    const [waiting] = apisOf(launcher.pid).filter(isWaiting);
    expect(waiting).toBeDefined();
    utimesSync(path.join(ROOT, 'apps/api/src/main.ts'), new Date(), new Date());
    await until('the API to follow', () => output.includes('Reloaded'));
    expect(apiPid()).toBe(waiting);
    expect(postmasterPid()).toBe(postmaster);
    launcher.kill('SIGINT');
    expect(await ended).toBe(0);
    await nothingRuns([postmaster]);
  });

  it('does not start a second time beside itself', async () => {
    await start();
    const first = launcher;
    const firstEnded = ended;
    launch();
    expect(await ended).toBe(1);
    expect(output).toContain(`Nova is already running at http://localhost:${port} (process ${first.pid})`);
    expect(await isReady()).toBe(true);
    first.kill('SIGTERM');
    await firstEnded;
  });

  it.each([
    ['NOVA_DATA_DIR', 'package.json', 'NOVA_DATA_DIR must be a writable folder: '],
    ['DATABASE_URL', 'postgres://nova@127.0.0.1:1/nova', 'The database that DATABASE_URL names cannot be used: '],
    ['EVENTSTORE_URL', 'esdb://127.0.0.1:1?tls=false', 'The event store that EVENTSTORE_URL names does not answer: '],
  ])('says in a sentence that it cannot start with this %s', async (name, value, sentence) => {
    launch({ [name]: value });
    expect(await ended).toBe(1);
    expect(output).toContain(sentence);
    expect(output).not.toMatch(/^\s+at /m);
  });

  it('says what to do when its port is taken', async () => {
    const thief = createServer();
    await new Promise<void>((resolve) => void thief.listen(port, resolve));
    try {
      launch();
      expect(await ended).toBe(1);
      expect(output).toContain(
        `Port ${port} is taken by another program. Choose another port: PORT=${port + 1} npm start`,
      );
    } finally {
      thief.close();
    }
  });
});

/** A process that has ended but was not buried by its parent counts as ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The APIs that a launcher has begun, the one that waits included. */
function apisOf(launcher: number | undefined): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === launcher && args.some((arg) => arg.endsWith('src/main.js')))
    .map(([pid]) => Number(pid));
}
