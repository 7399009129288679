import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { parseSetCookie, stringifyCookie } from 'cookie';
import pg from 'pg';
import { type BenchMember, makeMembers } from './bench-members.js';
import { CpuShare } from './cpu-share.js';
import type { LoadOrder, LoadRequest, LoadResult } from './http-load.js';
import type { PacedOrder, PacedResult } from './paced-load.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';
import { GOOD_PASSWORD, GOOD_PIN } from '../support/secrets.js';

export const CONNECTIONS = 64;
/** Until the code of a server that answers all requests is compiled, or almost. */
export const WARM_UP_SECONDS = 9;
const START_MS_MAX = 60_000;
export const ADMIN = 'admin@bench.example';

type Environment = Readonly<Record<string, string>>;

interface SignedIn {
  readonly id: string;
  readonly cookie: string;
}

/** Gifts through the whole product: HTTP, session, validation, ledger, read models, answer. */
export async function benchHttp(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const { perSecond, latenciesMs } = await giftsThrough(
    { servers: 1, connections: CONNECTIONS, recipients: 'callers' },
    surroundings,
    seconds,
  );
  const group = `gifts over HTTP, ${CONNECTIONS} connections`;
  return [
    { group, name: 'rate', value: perSecond, unit: '/s', goal: { at: '>=', value: 4_000 } },
    { group, name: 'p50', value: percentile(latenciesMs, 50), unit: 'ms' },
    { group, name: 'p99', value: percentile(latenciesMs, 99), unit: 'ms', goal: { at: '<=', value: 40 } },
  ];
}

interface Callers {
  readonly servers: number;
  readonly connections: number;
  /**
   * Who gets the gifts: the next caller, or a member who sends none. Callers who give to each other would favour one
   * server: its batch also has the recipient's own gift, with one row for both; with three servers there are two rows.
   */
  readonly recipients: 'callers' | 'others';
  /** The share of a core for each server once its code is compiled; unlimited if absent. */
  readonly cores?: number | undefined;
  /** With several servers, each takes that many times longer to compile its code. */
  readonly warmUpSeconds?: number;
  /** An empty one of the surroundings, if the caller looks at it: before the load, when all members are there, and afterwards. */
  readonly database?: { readonly url: string; readonly beforeLoad: () => Promise<void> };
}

export async function giftsThrough(given: Callers, surroundings: Surroundings, seconds: number): Promise<LoadResult> {
  const { cores, warmUpSeconds = WARM_UP_SECONDS, database } = given;
  const { ports, pids, requests, close } = await openServers(given, surroundings);
  const shares: CpuShare[] = [];
  try {
    await database?.beforeLoad();
    if (cores !== undefined) {
      await runLoad({ ports, seconds: 0, warmUpSeconds, requests });
      for (const pid of pids) shares.push(CpuShare.hold(pid, cores));
    }
    return await runLoad({ ports, seconds, warmUpSeconds, requests });
  } finally {
    await close();
    for (const share of shares) share.forget();
  }
}

interface OpenServers {
  readonly ports: readonly number[];
  readonly pids: readonly number[];
  /** A gift, for each connection. */
  readonly requests: readonly LoadRequest[];
  readonly databaseUrl: string;
  readonly close: () => Promise<void>;
}

/** Starts servers of one installation, and makes members who can give. */
export async function openServers(
  {
    servers,
    connections,
    recipients,
    database,
    env,
  }: Pick<Callers, 'servers' | 'connections' | 'recipients' | 'database'> & { readonly env?: Environment },
  surroundings: Surroundings,
): Promise<OpenServers> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-bench-api-'));
  const url = database?.url ?? (await surroundings.database());
  const ports: number[] = [];
  const apis: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    for (const api of apis) {
      const ended = once(api, 'exit');
      api.kill('SIGTERM');
      await ended;
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    for (let n = 0; n < servers; n++) {
      const port = await freePort();
      const api = startApi(port, url, dataDir, env);
      apis.push(api);
      ports.push(port);
      await ready(port, api);
    }
    const callers = await fundedMembers(ports[0] ?? 0, url, connections);
    const others = recipients === 'others' ? await unfundedMembers(url, connections) : [];
    const requests = callers.map(({ cookie }, n) => ({
      call: 'POST /api/gifts/send',
      headers: { cookie },
      body: `{"recipientId":"${(others[n] ?? callers[(n + 1) % callers.length])?.id ?? ''}","amount":1000}`,
    }));
    return { ports, pids: apis.flatMap(({ pid }) => pid ?? []), requests, databaseUrl: url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function startApi(port: number, databaseUrl: string, dataDir: string, env: Environment = {}): ChildProcess {
  // With the V8 flags of this process, which are the product's.
  return spawn(process.execPath, [...process.execArgv, 'dist/apps/api/src/main.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      DATABASE_URL: databaseUrl,
      NOVA_DATA_DIR: dataDir,
      ADMIN_EMAIL: ADMIN,
      DEMO_DATA: 'false',
      RATE_LIMIT_FACTOR: '100000',
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
}

export async function ready(port: number, api: ChildProcess): Promise<void> {
  const until = Date.now() + START_MS_MAX;
  while (Date.now() < until) {
    if (api.exitCode !== null) throw new Error(`the API ended with ${api.exitCode}`);
    const response = await fetch(`http://localhost:${port}/health/ready`).catch(() => undefined);
    if (response?.ok) return;
    await pause(100);
  }
  throw new Error('the API did not become ready');
}

async function fundedMembers(port: number, databaseUrl: string, count: number): Promise<BenchMember[]> {
  const admin = await register(port, ADMIN);
  const members = await unfundedMembers(databaseUrl, count);
  for (const { id } of members) {
    await post(port, `/api/admin/users/${id}/add-nova`, { amount: 1_000_000_000 }, admin.cookie);
  }
  return members;
}

async function unfundedMembers(databaseUrl: string, count: number): Promise<BenchMember[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    return await makeMembers(pool, count);
  } finally {
    await pool.end();
  }
}

export async function register(port: number, email: string): Promise<SignedIn> {
  const response = await post(port, '/api/auth/register', {
    displayName: 'Measured Member',
    email,
    password: GOOD_PASSWORD,
    pin: GOOD_PIN,
    tcConsent: true,
    tcVersion: '1.0',
  });
  const { user } = (await response.json()) as { user: { id: string } };
  const set = response.headers.getSetCookie().map((line) => parseSetCookie(line));
  const cookie = stringifyCookie(Object.fromEntries(set.map(({ name, value }) => [name, value])));
  return { id: user.id, cookie };
}

export async function post(port: number, call: string, body: unknown, cookie?: string): Promise<Response> {
  const response = await fetch(`http://localhost:${port}${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${call}: ${response.status} ${await response.text()}`);
  return response;
}

/** @throws Error if a request was refused */
export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const worker = new Worker(new URL('./http-load.js', import.meta.url), { workerData: order });
  const [result] = (await once(worker, 'message')) as [LoadResult];
  if (result.failures.length) throw new Error(`requests failed: ${result.failures.join('\n')}`);
  return result;
}

/** @returns for each place among the paths, the times of all members; @throws Error if a call was refused */
export async function runPaced(order: PacedOrder): Promise<PacedResult['latenciesMs']> {
  const worker = new Worker(new URL('./paced-load.js', import.meta.url), { workerData: order });
  const [{ latenciesMs, failures }] = (await once(worker, 'message')) as [PacedResult];
  if (failures.length > 0) throw new Error(`calls failed: ${failures.join('\n')}`);
  return latenciesMs;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
