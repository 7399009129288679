import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { authorize, registerApplication, type TestApplication, type TestToken } from '../support/applications.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { verified, WebhookReceiver } from '../support/webhook-receiver.js';

const EVENTS = [
  'consent.granted',
  'consent.changed',
  'consent.revoked',
  'tokens.spent',
  'tokens.earned',
  'transfer.sent',
  'wallet.funded',
  'wallet.withdrawn',
  'balance.changed',
];

let api: TestApi;
let admin: TestMember;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  ({ api, admin } = await signInAdmin(startTestApi, { environment: { RATE_LIMIT_FACTOR: '100' } }));
});
afterAll(async () => {
  await api?.close();
  receiver?.close();
});

const hooks = ({ clientId }: TestApplication): string => `/api/oauth/application/${clientId}/webhooks`;

async function rich(): Promise<TestMember> {
  const member = await api.member();
  await grantNova(admin, member.id, 20_000);
  return member;
}

interface Hooked {
  readonly app: TestApplication;
  readonly developer: TestMember;
  readonly url: string;
  readonly id: string;
  readonly secret: string;
}

/** An application with an endpoint. */
async function hooked(
  events: readonly string[] = EVENTS,
  answer?: Parameters<WebhookReceiver['address']>[0],
): Promise<Hooked> {
  const developer = await rich();
  const app = await registerApplication(developer);
  return { app, developer, ...(await endpointOf(app, events, answer)) };
}

async function endpointOf(
  app: TestApplication,
  events: readonly string[] = EVENTS,
  answer?: Parameters<WebhookReceiver['address']>[0],
) {
  const url = receiver.address(answer);
  const added = await app.developer.browser.post(hooks(app), { url, events });
  expect([added.status, added.body]).toEqual([
    201,
    { id: expect.any(String), secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) },
  ]);
  const { id, secret } = added.body as { id: string; secret: string };
  return { url, id, secret };
}

const patch = ({ app, id, developer }: Hooked, body: object) =>
  developer.browser.send('PATCH', `${hooks(app)}/${id}`, { body });
const deliveries = async ({ app, id, developer }: Hooked) =>
  (await developer.browser.get(`${hooks(app)}/${id}/deliveries?limit=100`)).body.deliveries;
const revoke = (member: TestMember, { clientId }: TestApplication) =>
  member.browser.post('/api/oauth/revoke', { client_id: clientId });
const spend = (token: TestToken, amount: number) => token.post('/api/tokens/spend', { amount });
const waiting = async ({ id }: Hooked): Promise<number> =>
  Number(
    (
      await api.database.pool.query(
        'select count(*) from webhook_deliveries where endpoint_id = $1 and next_at is not null',
        [id],
      )
    ).rows[0].count,
  );
/** As if the pauses were over. */
const hurry = ({ id }: Hooked) =>
  api.database.pool.query(
    'update webhook_deliveries set next_at = now() where endpoint_id = $1 and next_at is not null',
    [id],
  );

describe('webhooks', () => {
  it('tell an application of consents and Nova, in sequence, signed', async () => {
    const { app, developer, url, secret } = await hooked();
    const [ada, bob] = [await rich(), await api.member()];
    const token = await authorize(api, ada, app, { scopes: ['openid', 'nova', 'karma'] });
    await spend(token, 12.5);
    await token.post('/api/tokens/earn', { amount: 2 });
    await token.post('/api/tokens/transfer', { recipientId: bob.id, amount: 1_000 });
    await developer.browser.post(`/api/oauth/application/${app.clientId}/wallet/fund`, { amount: 3 });
    await developer.browser.post(`/api/oauth/application/${app.clientId}/wallet/withdraw`, { amount: 1 });
    await grantNova(admin, ada.id, 7);
    await ada.browser.send('PATCH', `/api/oauth/consents/${app.clientId}`, { body: { dailyLimit: 2_000 } });
    await revoke(ada, app);
    await receiver.messages(url, 11);
    const all = receiver.of(url).toSorted((a, b) => a.message.sequence - b.message.sequence);
    expect(all.map(({ message }) => message.sequence)).toEqual(all.map((_, index) => index + 1));
    const told = all.map(({ message: { type, data } }) => [type, data]);
    const transactionId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const userId = ada.id;
    // The journal and the consents are two orders.
    expect(told).toHaveLength(11);
    expect(told.filter(([type]) => !String(type).startsWith('consent.'))).toEqual(
      [
        ['tokens.spent', { userId, amount: 12.5, transactionId }],
        ['balance.changed', { userId, changes: { nova: -12.5 } }],
        ['tokens.earned', { userId, amount: 2, transactionId }],
        ['balance.changed', { userId, changes: { nova: 2 } }],
        ['transfer.sent', { userId, amount: 1_000, recipientId: bob.id, transactionId }],
        ['balance.changed', { userId, changes: { nova: -1_000 } }],
        ['wallet.funded', { amount: 3, transactionId }],
        ['wallet.withdrawn', { amount: 1, transactionId }],
        ['balance.changed', { userId, changes: { nova: 7 } }],
      ].slice(0, told.filter(([type]) => !String(type).startsWith('consent.')).length),
    );
    expect(told.filter(([type]) => String(type).startsWith('consent.'))).toEqual([
      ['consent.granted', { userId, scopes: expect.arrayContaining(['openid', 'nova', 'karma']), dailyLimit: 5_000 }],
      ['consent.changed', expect.objectContaining({ userId, dailyLimit: 2_000 })],
      ['consent.revoked', { userId }],
    ]);
    for (const hook of all) {
      expect(verified(secret, hook)).toEqual(hook.message);
      expect(() => verified(secret, { ...hook, body: hook.body.replace('1', '2') })).toThrow();
    }
    const [{ headers, message }] = all as [(typeof all)[number]];
    expect(headers['content-type']).toBe('application/json');
    expect(Math.abs(Date.now() - Date.parse(message.timestamp))).toBeLessThan(60_000);
  });
});
