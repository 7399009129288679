import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
// The CommonJS build, which the tests load, has no named export.
// oxlint-disable-next-line import/no-named-as-default
import Stripe from 'stripe';
import { inTransaction } from '../../../apps/api/src/platform/database/in-transaction.js';
import { eventually } from '../../../test/support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { SANDBOX_SCHEMA_SQL } from './schema.js';
import { SandboxStore } from './store.js';
import { confirmPaymentIntent, createPaymentIntent, createRefund } from './payment-calls.js';
import type { SandboxPaymentIntent } from './stripe-objects.js';
import { WebhookDelivery } from './webhook-delivery.js';

const SECRET = 'whsec_test_secret_of_this_spec';

const call = (key?: string) => ({ idempotencyKey: key, content: 'POST /v1/x' });

describe('webhooks of the payment sandbox', () => {
  let database: TestDatabase;
  let store: SandboxStore;
  let server: Server;
  let url: string;
  let answer: (attempt: number) => number;
  let received: { body: string; signature: string }[];

  beforeAll(async () => {
    database = await createTestDatabase('sandbox');
    await database.pool.query(SANDBOX_SCHEMA_SQL);
    store = new SandboxStore(database.pool, inTransaction);
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        received.push({ body, signature: String(request.headers['stripe-signature']) });
        response.statusCode = answer(received.length);
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await database.drop();
  });
  beforeEach(async () => {
    await database.pool.query('truncate sandbox.object, sandbox.event, sandbox.idempotency');
    received = [];
    answer = () => 200;
  });

  const delivery = () =>
    new WebhookDelivery(
      database.pool,
      () => url,
      SECRET,
      () => undefined,
    );
  const pay = async (card = 'pm_card_visa'): Promise<SandboxPaymentIntent> => {
    const created = await store.call(call(), (objects) =>
      createPaymentIntent(objects, { amount: '100', currency: 'usd' }),
    );
    const { id } = created.body as SandboxPaymentIntent;
    await store.call(call(), (objects) => confirmPaymentIntent(objects, id, { payment_method: card }));
    return created.body as SandboxPaymentIntent;
  };
  const types = () => received.map(({ body }) => (JSON.parse(body) as { type: string }).type).toSorted();

  it("are signed so that Stripe's client takes them", async () => {
    await pay();
    const sender = delivery();
    sender.start();
    await eventually(() => received.length === 3);
    await sender.stop();
    expect(types()).toEqual(['charge.succeeded', 'payment_intent.created', 'payment_intent.succeeded']);
    for (const { body, signature } of received) {
      expect(Stripe.webhooks.constructEvent(body, signature, SECRET).object).toBe('event');
      expect(() => Stripe.webhooks.constructEvent(`${body} `, signature, SECRET)).toThrow();
      expect(() => Stripe.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow();
    }
  });

  it('come again until they are taken, also after a restart', async () => {
    answer = () => 500;
    await pay();
    const first = delivery();
    first.start();
    await eventually(() => received.length >= 4);
    await first.stop();
    received = [];
    answer = () => 200;
    const second = delivery();
    second.start();
    await eventually(() => new Set(received.map(({ body }) => body)).size === 3);
    await second.stop();
    const { rows } = await database.pool.query('select 1 from sandbox.event where delivered_at is null');
    expect(rows).toHaveLength(0);
  });

  it('are part of the call that makes them: a call that fails sends none', async () => {
    await expect(
      store.call(call('k'), async (objects) => {
        await createPaymentIntent(objects, { amount: '100', currency: 'usd' });
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
    const { rows } = await database.pool.query(
      'select 1 from sandbox.event union all select 1 from sandbox.idempotency',
    );
    expect(rows).toHaveLength(0);
  });

  it('answers a repeated call from memory, also when both come at once', async () => {
    const create = () =>
      store.call(call('once'), (objects) => createPaymentIntent(objects, { amount: '100', currency: 'usd' }));
    const answers = await Promise.all([create(), create(), create()]);
    expect(new Set(answers.map(({ body }) => (body as SandboxPaymentIntent).id)).size).toBe(1);
    await expect(
      store.call({ idempotencyKey: 'once', content: 'another' }, (objects) =>
        createPaymentIntent(objects, { amount: '200', currency: 'usd' }),
      ),
    ).rejects.toMatchObject({ status: 400, detail: { type: 'idempotency_error' } });
  });

  it('never refunds more than was paid, also when refunds race', async () => {
    const { id } = await pay();
    const results = await Promise.allSettled(
      [60, 60, 60].map((amount) =>
        store.call(call(), (objects) => createRefund(objects, { payment_intent: id, amount: String(amount) })),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const rest = await store.call(call(), (objects) => createRefund(objects, { payment_intent: id }));
    expect(rest.body).toMatchObject({ amount: 40, status: 'succeeded' });
    expect(await store.call(call(), (objects) => createRefund(objects, { payment_intent: id }))).toMatchObject({
      status: 400,
      body: { error: { code: 'charge_already_refunded' } },
    });
  });
});
