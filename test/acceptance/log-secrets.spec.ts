import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { registrationBody, TestBrowser } from '../support/api.js';
import { registerApplication } from '../support/applications.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { freePort, Product } from '../support/product.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

jest.setTimeout(180_000);

/** Something that nothing else would write. */
const mark = (): string => `leak${randomBytes(12).toString('hex')}`;

/** A server as operators run it, whose every setting with a secret is one that can be found again, with all the log it has. */
describe('the log of a server', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'nova-log-'));
  const secrets = new Map<string, string>();
  const secret = (what: string, text = mark()): string => {
    secrets.set(what, text);
    return text;
  };
  let database: TestDatabase;
  let proxy: TcpProxy;
  let product: Product;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    database = await createTestDatabase('log');
    secret('database', new URL(database.url).password);
    const through = await TcpProxy.toUrl(database.url);
    ({ proxy } = through);
    const nobody = await freePort();
    product = await Product.start({
      dataDir,
      env: {
        DATABASE_URL: through.url,
        LOG_LEVEL: 'trace',
        SESSION_SECRET: secret('session'),
        WEBHOOK_KEY: secret('webhook key', randomBytes(32).toString('base64')),
        STRIPE_SECRET_KEY: secret('Stripe', `sk_test_${mark()}`),
        STRIPE_PUBLISHABLE_KEY: `pk_test_${mark()}`,
        STRIPE_WEBHOOK_SECRET: secret('Stripe webhooks', `whsec_${mark()}`),
        SMTP_URL: `smtp://nova:${secret('mail')}@127.0.0.1:${nobody}`,
        MAIL_FROM: 'Nova <nova@example.com>',
        TURN_URLS: 'turn:turn.example.com',
        TURN_USERNAME: 'nova',
        TURN_CREDENTIAL: secret('TURN'),
      },
    });
  });
  afterAll(async () => {
    proxy?.heal();
    await product?.stop();
    await proxy?.close();
    receiver?.close();
    await database?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const log = (): string => readFileSync(product.logFile, 'utf8');
  const leaksOf = (text: string): string[] => {
    const forms = (each: string) => [each, encodeURIComponent(each), Buffer.from(each).toString('base64').slice(0, -4)];
    return [...secrets].filter(([, each]) => forms(each).some((form) => text.includes(form))).map(([what]) => what);
  };

  /** What a server says that cannot start. */
  const startOf = (env: Readonly<Record<string, string>>): Promise<string> =>
    new Promise((resolve) => {
      const folder = mkdtempSync(path.join(dataDir, 'start-'));
      const given = { PATH: process.env['PATH'] ?? '', PORT: '0', NOVA_DATA_DIR: folder, LOG_LEVEL: 'trace' };
      const options = { env: { ...given, ...env }, timeout: 60_000, killSignal: 'SIGKILL' } as const;
      execFile(process.execPath, ['dist/apps/api/src/main.js'], options, (_, out, err) => resolve(out + err));
    });

  it('has no secret of its settings, its members or its applications, whatever fails', async () => {
    const browser = new TestBrowser(product.url);
    const [password, pin] = [secret('password'), '739154'];
    const ada = { ...registrationBody(), password, pin };
    const registered = await browser.post('/api/auth/register', ada);
    expect(registered.status).toBe(201);
    for (const [name, value] of browser.cookies) secret(`cookie ${name}`, value);
    const developer = { ...ada, id: registered.body.user.id as string, browser };
    const app = await registerApplication(developer);
    secret('client secret', app.clientSecret);
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

    // What is refused.
    const wrong = secret('wrong password');
    const stranger = new TestBrowser(product.url);
    const given = { email: ada.email, password: wrong, tcConsent: true, tcVersion: '1.0' };
    expect((await stranger.post('/api/auth/signin', given)).status).toBe(401);
    const query = secret('query');
    expect((await stranger.get(`/api/auth/user?access_token=${query}`)).status).toBe(401);
    const token = secret('bearer');
    expect((await stranger.get('/api/tokens/wallet', { authorization: `Bearer ${token}` })).status).toBe(401);
    const other = secret('other client secret');
    expect((await stranger.get('/api/tokens/wallet', basic(`${app.clientId}:${other}`))).status).toBe(401);
    expect((await stranger.get('/api/tokens/wallet', basic(`${app.clientId}:${app.clientSecret}`))).status).toBe(200);
    const broken = await fetch(`${product.url}/api/auth/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"password":"${secret('broken body')}"`,
    });
    expect(broken.status).toBe(400);
    const forged = await fetch(`${product.url}/api/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': `t=1,v1=${secret('signature')}` },
      body: '{}',
    });
    expect(forged.status).toBe(400);

    // What fails elsewhere: mail, Stripe, an application's server.
    await stranger.post('/api/auth/reset-request', { email: ada.email });
    const paid = await browser.post('/api/payments/create-payment-intent', { amount: 10 });
    expect(paid.status).toBeGreaterThanOrEqual(400);
    const url = receiver.address((response) => response.destroy());
    const hooks = `/api/oauth/application/${app.clientId}/webhooks`;
    const hook = await browser.post(hooks, { url, events: ['wallet.funded'] });
    secret('webhook', hook.body.secret);
    await browser.post(`${hooks}/${hook.body.id}/test`);
    await eventually(() => receiver.of(url).length > 0);

    // The database goes away, in the middle and for whoever comes.
    proxy.refuse();
    expect((await browser.get('/api/auth/user')).status).toBe(503);
    await browser.post('/api/auth/signin', given);
    await eventually(() => /refused|terminated|ECONN/i.test(log()));
    proxy.heal();
    await product.untilRecovered();
    expect(leaksOf(log())).toEqual([]);
    expect(log().length).toBeGreaterThan(1_000);
  });

  it('has none where a setting with a secret keeps it from starting', async () => {
    const refusedUrl = new URL(database.url);
    refusedUrl.password = secret('refused password');
    const wrongs: Record<string, string>[] = [
      { DATABASE_URL: refusedUrl.href },
      { DATABASE_URL: `postgres://nova:${secret('unreadable address')}@[::/nova` },
      {
        DATABASE_URL: database.url,
        SMTP_URL: `smtp://nova:${secret('unreadable mail')}@[::`,
        MAIL_FROM: 'a@example.com',
      },
      { DATABASE_URL: database.url, WEBHOOK_KEY: secret('short key') },
      { DATABASE_URL: database.url, OIDC_JWKS: `{"keys":[{"d":"${secret('broken keys')}"` },
      { DATABASE_URL: database.url, EVENTSTORE_URL: `esdb://nova:${secret('event store')}@127.0.0.1:1?tls=false` },
    ];
    for (const env of wrongs) {
      const said = await startOf(env);
      expect([Object.keys(env), said]).toEqual([
        Object.keys(env),
        expect.stringMatching(/Nova could not start|Wrong conf/),
      ]);
      expect(leaksOf(said)).toEqual([]);
    }
  });
});
