import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { giveConsent, registerApplication } from '../support/oauth.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SCOPES = ['openid', 'profile', 'nova'];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The sample as a stranger has it: a folder with the built package among its modules. */
describe('the sample application', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nova-sample-'));
  let api: TestApi;
  let ada: TestMember;
  let sample: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    execFileSync('npm', ['run', '-s', 'build:sdk'], { cwd: ROOT, stdio: 'inherit' });
    cpSync(path.join(ROOT, 'dist/sdk'), path.join(folder, 'node_modules/@nova/sdk'), { recursive: true });
    cpSync(path.join(ROOT, 'tools/sample-app'), folder, { recursive: true });
    const started = await signInAdmin(startTestApi, { atPublicUrl: true });
    api = started.api;
    ada = await api.member({ displayName: 'Ada' });
    await grantNova(started.admin, ada.id, 1_000);
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const redirectUris = [`${origin}/callback`];
    const application = await registerApplication(await api.member(), { redirectUris, scopes: SCOPES });
    sample = spawn(process.execPath, [path.join(folder, 'main.mjs')], {
      env: {
        PATH: process.env['PATH'],
        NOVA_URL: api.url,
        NOVA_CLIENT_ID: application.clientId,
        NOVA_CLIENT_SECRET: application.clientSecret,
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (sample.stdout) await once(sample.stdout, 'data');
  });
  afterAll(async () => {
    sample?.kill();
    rmSync(folder, { recursive: true });
    await api?.close();
  });

  const visit = (address: string, cookie = ''): Promise<Response> =>
    fetch(address, { redirect: 'manual', headers: { cookie } });

  it('signs a member in, spends, earns and reads its wallet', async () => {
    const first = await visit(`${origin}/`);
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    const asked = new URL(first.headers.get('location') ?? '').searchParams;
    const back = await giveConsent(ada.browser, asked, { scopes: SCOPES });
    const answer = await visit(back.href, cookie);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        name: 'Ada',
        leftToday: 4_975,
        wallet: 20,
        entries: [
          { type: 'earn', amount: 5, description: 'Loyalty' },
          { type: 'spend', amount: 25, description: 'A cup of coffee' },
        ],
      },
    ]);
    expect((await visit(back.href, cookie)).status).toBe(400);
  });
});
