import { setTimeout as sleep } from 'node:timers/promises';
import { registerApplication } from '../support/applications.js';
import { eventually } from '../support/eventually.js';
import { grantNova } from '../support/money.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { Servers } from './servers.js';

jest.setTimeout(240_000);

const COUNT = 60;
const KILLS = 2;

describe('webhooks of two servers', () => {
  let servers: Servers;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    servers = await Servers.start({ count: 2 });
  });
  afterAll(async () => {
    await servers?.stop();
    receiver?.close();
  });

  it('are all delivered, though whoever follows or sends is killed again and again, and both at once', async () => {
    const admin = await servers.admin();
    const developer = await servers.member(0);
    await grantNova(admin, developer.id, 100_000);
    const app = await registerApplication(developer);
    const path = `/api/oauth/application/${app.clientId}`;
    // Slow enough that some are under way whenever a server is killed.
    const url = receiver.address((response) => void setTimeout(() => response.writeHead(204).end(), 150));
    const added = await developer.browser.post(`${path}/webhooks`, { url, events: ['wallet.funded'] });
    expect(added.status).toBe(201);

    const happened: number[] = [];
    let isOver = false;
    const funding = (async () => {
      for (let amount = 1; amount <= COUNT; amount += 1) {
        // A server that is killed answers nobody: what it may have done is asked for again with the same key.
        const headers = { 'idempotency-key': `0198c000-0000-7000-8000-${String(amount).padStart(12, '0')}` };
        const fund = () =>
          developer.browser
            .send('POST', `${path}/wallet/fund`, { body: { amount }, headers })
            .then(({ status }) => status)
            .catch(() => 0);
        while ((await fund()) !== 201) await sleep(100);
        happened.push(amount);
        await sleep(100);
      }
      isOver = true;
    })();
    let killed = 0;
    const kill = async (number: number): Promise<void> => {
      const product = servers.products[number];
      if (!product) return;
      await product.killApi();
      killed += 1;
      await product.start();
    };
    for (let round = 0; round < KILLS; round += 1) {
      await eventually(
        () => receiver.of(url).length,
        (length) => length > round * 5,
        60_000,
      );
      await kill(await servers.follower(round % 2 === 0 ? 'webhookSender' : 'webhooks'));
    }
    await Promise.all([kill(0), kill(1)]);
    await funding;
    expect([isOver, happened.length]).toEqual([true, COUNT]);
    expect(killed).toBeGreaterThanOrEqual(3);

    const heard = () => new Set(receiver.of(url).map(({ message }) => message.data.amount as number));
    await eventually(heard, (amounts) => amounts.size === COUNT, 60_000);
    expect([...heard()].toSorted((a, b) => a - b)).toEqual(happened);
    // Each event is one delivery, however often it arrived, in the order in which it happened.
    const ids = new Map(receiver.of(url).map(({ headers, message }) => [headers['webhook-id'], message]));
    expect(ids.size).toBe(COUNT);
    const inSequence = [...ids.values()].toSorted((a, b) => a.sequence - b.sequence);
    expect(inSequence.map(({ sequence }) => sequence)).toEqual(happened);
    expect(inSequence.map(({ data }) => data.amount)).toEqual(happened);
  });
});
