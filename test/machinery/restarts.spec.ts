import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { registerMember, TestBrowser, type TestMember } from '../support/api.js';
import { grantNova } from '../support/money.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { freePort, Product } from '../support/product.js';
import { GiftLoad } from './gift-load.js';
import { IS_THOROUGH } from './thorough.js';

jest.setTimeout(400_000);

const ROOT = path.resolve(import.meta.dirname, '../..');
const ADMIN_EMAIL = 'root@example.com';
const REQUESTS = IS_THOROUGH ? 20_000 : 4_000;
const LANES = 32;
/** Five of them are the client's pause. */
const BACK_MS_MAX = 7_000;
const CLIENT_PAUSE_MS = 5_000;
const RESTART_CODE = 1012;

interface Proxy {
  readonly name: string;
  readonly program: string;
  /** The shipped configuration, and how it is put to use on these addresses. @returns arguments of the program */
  configure(folder: string, port: number, upstreams: readonly string[]): Promise<string[]>;
}

const shipped = async (file: string, upstreams: readonly string[]): Promise<string> =>
  (await readFile(path.join(ROOT, file), 'utf8')).replaceAll(
    /api-(\d):3000/g,
    (_, number) => upstreams[number - 1] ?? '',
  );

const PROXIES: readonly Proxy[] = [
  {
    name: 'Caddy',
    program: 'caddy',
    async configure(folder, _port, upstreams) {
      const file = path.join(folder, 'Caddyfile');
      await writeFile(file, await shipped('deploy/Caddyfile', upstreams));
      return ['run', '--adapter', 'caddyfile', '--config', file];
    },
  },
  {
    name: 'nginx',
    program: 'nginx',
    async configure(folder, port, upstreams) {
      const site = (await shipped('ops/nginx/nova.conf', upstreams)).replace('listen 80;', `listen 127.0.0.1:${port};`);
      const file = path.join(folder, 'nginx.conf');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (part) => `${part}_temp_path ${folder}/${part};`,
      );
      const http = `access_log off; ${temporary.join(' ')}\n${site}`;
      await writeFile(
        file,
        `user root; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/proxy.log; events { worker_connections 1024; }\nhttp { ${http} }\n`,
      );
      return ['-e', path.join(folder, 'proxy.log'), '-c', file];
    },
  },
];

const isThere = (program: string): boolean => spawnSync(program, ['-h'], { stdio: 'ignore' }).error === undefined;

for (const proxy of PROXIES) {
  if (isThere(proxy.program)) describe(`two servers behind ${proxy.name}`, () => behind(proxy));
  else {
    process.stderr.write(`  Skipped: restarts behind ${proxy.name}, because there is no program ${proxy.program}.\n`);
    describe.skip(`two servers behind ${proxy.name}`, () => it('restart unnoticed', () => undefined));
  }
}

function behind(proxy: Proxy): void {
  let database: TestDatabase;
  let folder: string;
  let url: string;
  let running: ChildProcess | undefined;
  const servers: Product[] = [];

  beforeAll(async () => {
    database = await createTestDatabase('restarts');
    folder = await mkdtemp(path.join(tmpdir(), 'nova-restarts-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    for (const number of [1, 2]) {
      const env = { DATABASE_URL: database.url, ADMIN_EMAIL, PUBLIC_URL: url, TRUST_PROXY: 'loopback' };
      servers.push(await Product.start({ dataDir: folder, name: `api-${number}`, env }));
    }
    const own = path.join(folder, 'proxy');
    await mkdir(own);
    const settings = await proxy.configure(
      own,
      port,
      servers.map((server) => new URL(server.url).host),
    );
    const env = { PATH: process.env['PATH'], HOME: own, NOVA_SITE: `http://127.0.0.1:${port}`, CADDY_ADMIN: 'off' };
    running = spawn(proxy.program, settings, { env, stdio: 'ignore' });
    for (let tries = 0; tries < 100 && !(await answers(url)); tries += 1) await sleep(100);
    // Its first look at the servers.
    await sleep(2_000);
  });

  afterAll(async () => {
    running?.kill('SIGTERM');
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('restart one after the other, and no request fails', async () => {
    const admin = await member(url, ADMIN_EMAIL);
    const members = await Promise.all(Array.from({ length: 4 }, () => member(url)));
    for (const { id } of members) await grantNova(admin, id, 100_000_000);
    const cookies = members.map(({ browser }) =>
      [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    );
    const gifts = new GiftLoad(members, [url]);
    const over = { over: false };
    const giving = gifts.sendUntil(over, 2);
    const sockets = cookies.map((cookie) => new LiveClient(url, cookie));
    const failed: string[] = [];
    let sent = 0;
    // From several networks, which the proxy spreads over the servers.
    const lane = async (number: number): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.${number}.1` });
      while (!over.over) {
        sent += 1;
        const problem = await read(`${url}/api/nova/balance`, agent, cookies[number % cookies.length] ?? '');
        if (problem !== undefined) failed.push(problem);
        await sleep(2);
      }
      agent.destroy();
    };
    const lanes = Array.from({ length: LANES }, (_, number) => lane(number));
    await sleep(1_000);
    for (const server of servers) {
      await server.stop();
      await server.start();
      // The proxy has to learn that it is back.
      await sleep(6_000);
    }
    while (sent + gifts.sent < REQUESTS) await sleep(100);
    over.over = true;
    await Promise.all(lanes);
    const given = await giving;
    for (const socket of sockets) socket.end();
    process.stderr.write(
      `  ${proxy.name}: ${sent} reads and ${gifts.sent} gifts, slowest gift ${Math.round(Math.max(...given.map(({ ms }) => ms)))} ms; ` +
        `live connections away for ${sockets.flatMap(({ awayMs }) => awayMs).join(', ')} ms\n`,
    );
    expect(failed).toEqual([]);
    expect(given.filter(({ status }) => status !== 201)).toEqual([]);
    await gifts.expectBooks({ databaseUrl: database.url });
    // Each server had some of them, and both were stopped.
    expect(sockets.flatMap(({ awayMs }) => awayMs).length).toBeGreaterThanOrEqual(sockets.length);
    for (const { codes, awayMs } of sockets) {
      for (const code of codes) expect(code).toBe(RESTART_CODE);
      for (const ms of awayMs) expect(ms).toBeLessThan(BACK_MS_MAX);
    }
  });
}

/** As the product's own client: after a close it waits, then connects again. */
class LiveClient {
  readonly codes: number[] = [];
  readonly awayMs: number[] = [];
  private isOver = false;
  private socket: WebSocket;

  constructor(
    private readonly url: string,
    private readonly cookie: string,
  ) {
    this.socket = this.open();
  }

  end(): void {
    this.isOver = true;
    this.socket.close();
  }

  private open(lostAt?: number): WebSocket {
    const socket = new WebSocket(`${this.url.replace('http', 'ws')}/ws`, {
      headers: { cookie: this.cookie, origin: this.url },
    });
    socket.on('open', () => {
      if (lostAt !== undefined) this.awayMs.push(Math.round(performance.now() - lostAt));
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      if (this.isOver) return;
      this.codes.push(code);
      const now = performance.now();
      setTimeout(() => {
        if (!this.isOver) this.socket = this.open(now);
      }, CLIENT_PAUSE_MS);
    });
    return socket;
  }
}

const member = (url: string, email?: string): Promise<TestMember> =>
  registerMember(new TestBrowser(url), email === undefined ? {} : { email });

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );

/** @returns what went wrong, if anything did */
function read(url: string, agent: Agent, cookie: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const asked = request(url, { agent, headers: { cookie } }, (answer) => {
      answer.resume();
      answer.on('error', (error) => resolve(String(error)));
      answer.on('end', () => resolve(answer.statusCode === 200 ? undefined : `status ${answer.statusCode}`));
    });
    asked.on('error', (error) => resolve(String(error)));
    asked.end();
  });
}
