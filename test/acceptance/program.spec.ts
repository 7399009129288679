import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { Product } from '../support/product.js';

const CONNECTIONS = 64;

/** The built program in a process of its own, as an operator starts and stops it. */
describe('the program', () => {
  let database: TestDatabase;
  let dataDir: string;

  beforeAll(async () => {
    database = await createTestDatabase('program');
    dataDir = await mkdtemp(path.join(tmpdir(), 'nova-program-'));
  });

  afterAll(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it.each([
    [{ PUBLIC_URL: 'https://example.com/nova' }, 'PUBLIC_URL must be an address without a path'],
    [{ HOST: 'nova.example' }, 'HOST must be an IP address'],
    [{ DATABASE_URL: 'postgres://nova@127.0.0.1/nova?sslmode=required' }, 'DATABASE_URL has the sslmode "required"'],
  ])('does not start with %j, and says why in a sentence', async (settings, sentence) => {
    const program = spawn(process.execPath, ['dist/apps/api/src/main.js'], {
      env: { PATH: process.env['PATH'], NOVA_DATA_DIR: dataDir, DATABASE_URL: database.url, ...settings },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    program.stderr.on('data', (chunk) => (said += String(chunk)));
    const [code] = (await once(program, 'close')) as [number];
    expect(said).toContain(`Wrong configuration: ${sentence}`);
    // A library may complain of an older Node.
    const ours = said.split('\n').filter((line) => line !== '' && !line.startsWith('oidc-provider'));
    expect(ours).toHaveLength(1);
    expect(code).toBe(1);
  });

  it('says before it stops that it will, serves all until then, and lets each connection end with an answer', async () => {
    const product = await Product.start({ dataDir, env: { DATABASE_URL: database.url, DRAIN_SECONDS: '2' } });
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const answers: Answer[] = [];
    let isRefused = false;
    const lane = async (): Promise<void> => {
      while (!isRefused) {
        const answer = await get(`${product.url}/api/auth/user`, agent);
        if (answer === 'no connection') isRefused = true;
        else answers.push(answer);
        await sleep(5);
      }
    };
    const lanes = Array.from({ length: CONNECTIONS }, lane);
    await sleep(500);
    const began = performance.now();
    const ending = product.stop();
    await sleep(200);
    const ready = await get(`${product.url}/health/ready`);
    expect(ready).toMatchObject({ status: 503, body: expect.stringContaining('the server is stopping') });
    await Promise.all(lanes);
    await ending;
    expect(performance.now() - began).toBeGreaterThan(2_000);
    const seen = new Set(answers.map(({ status }) => status));
    expect([...seen]).toEqual([401]);
    const last = answers.slice(-CONNECTIONS);
    expect(last.filter(({ connection }) => connection === 'close').length).toBeGreaterThan(CONNECTIONS / 2);
    agent.destroy();
  });
});

interface Answer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: string;
}

/** @throws Error the connection broke before the answer */
function get(url: string, agent?: Agent): Promise<Answer | 'no connection'> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => (body += String(chunk)));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection, body }));
    });
    asked.on('error', (error) => {
      if ('code' in error && error.code === 'ECONNREFUSED') resolve('no connection');
      else reject(error);
    });
    asked.end();
  });
}
