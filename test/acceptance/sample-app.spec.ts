import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signedHeaders } from '../../apps/api/src/webhooks/signature.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
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
  let hooks: string;
  let secret: string;
  let fund: (amount: number) => Promise<unknown>;

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
    const developer = await api.member();
    const application = await registerApplication(developer, { redirectUris, scopes: SCOPES });
    const events = ['tokens.spent', 'wallet.funded'];
    hooks = `/api/oauth/application/${application.clientId}/webhooks`;
    const { body } = await developer.browser.post(hooks, { url: `${origin}/webhooks`, events });
    secret = body.secret;
    fund = (amount) => developer.browser.post(hooks.replace('webhooks', 'wallet/fund'), { amount });
    await grantNova(started.admin, developer.id, 100);
    sample = spawn(process.execPath, [path.join(folder, 'main.mjs')], {
      env: {
        PATH: process.env['PATH'],
        NOVA_URL: api.url,
        NOVA_CLIENT_ID: application.clientId,
        NOVA_CLIENT_SECRET: application.clientSecret,
        NOVA_WEBHOOK_SECRET: secret,
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

  const reconciled = async () => (await fetch(`${origin}/reconcile`)).json() as Promise<Record<string, unknown>>;

  it('signs a member in, spends, hears of it by webhook and reconciles its wallet', async () => {
    const first = await visit(`${origin}/`);
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    const asked = new URL(first.headers.get('location') ?? '').searchParams;
    const back = await giveConsent(ada.browser, asked, { scopes: SCOPES });
    const answer = await visit(back.href, cookie);
    const bought = await answer.json();
    expect([answer.status, bought]).toEqual([
      200,
      { name: 'Ada', leftToday: 4_975, transactionId: expect.any(String) },
    ]);
    expect((await visit(back.href, cookie)).status).toBe(400);
    await fund(7);
    await eventually(reconciled, ({ total, unheard }) => total === 32 && (unheard as string[]).length === 0);
    expect(await reconciled()).toEqual({ balance: 32, total: 32, unheard: [], unknown: [] });
  });

  it('tells a member who said no that nothing was bought', async () => {
    const first = await visit(`${origin}/`);
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    const state = new URL(first.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const back = new URLSearchParams({ state, error: 'access_denied', error_description: 'The member said no.' });
    const answer = await visit(`${origin}/callback?${back.toString()}`, cookie);
    expect([answer.status, await answer.text()]).toEqual([400, 'The member said no.']);
  });

  it('believes no webhook that Nova did not send', async () => {
    const forged = { type: 'tokens.spent', data: { transactionId: randomUUID(), amount: 1_000 } };
    const body = JSON.stringify(forged);
    const told = (headers: Record<string, string>) => fetch(`${origin}/webhooks`, { method: 'POST', body, headers });
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = signedHeaders({ id: randomUUID(), timestamp, body, secrets: [randomBytes(32)] });
    expect([(await told({})).status, (await told(headers)).status]).toEqual([400, 400]);
    expect((await reconciled())['unknown']).toEqual([]);
  });
});
