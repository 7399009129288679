import { createHmac } from 'node:crypto';
import { PaymentReconciler } from '../../apps/api/src/payments/reconciler.js';
import { CONFIG, type Config } from '../../apps/api/src/platform/config.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { novaBalance, signInAdmin, stripeForm } from '../support/money.js';

const setUp = async (member: TestMember, amount: number) =>
  (await member.browser.post('/api/nova/create-payment-intent', { amount })).body as {
    paymentIntentId: string;
    clientSecret: string;
  };
const pay = (member: TestMember, intent: { paymentIntentId: string; clientSecret: string }, card = 'pm_card_visa') =>
  stripeForm(member.browser, `payment_intents/${intent.paymentIntentId}/confirm`, {
    payment_method: card,
    client_secret: intent.clientSecret,
  });
const confirm = (member: TestMember, paymentIntentId: string) =>
  member.browser.post('/api/nova/confirm-purchase', { paymentIntentId });
const rows = async (member: TestMember): Promise<{ type: string; amount: number; id: string; eventId: string }[]> =>
  (await member.browser.get('/api/nova/transactions')).body.transactions;
const eventOf = (intent: object, type = 'payment_intent.succeeded') => ({
  id: 'evt_x',
  object: 'event',
  livemode: false,
  type,
  data: { object: intent },
});
const gift = (from: TestMember, to: TestMember) =>
  from.browser.post('/api/gifts/send', { recipientId: to.id, amount: 1_000 });

const buy = async (member: TestMember, amount: number, card = 'pm_card_visa'): Promise<string> => {
  const intent = await setUp(member, amount);
  expect((await pay(member, intent, card)).body.status).toBe('succeeded');
  expect((await confirm(member, intent.paymentIntentId)).status).toBe(200);
  return intent.paymentIntentId;
};
const frozen = (from: TestMember, to: TestMember) =>
  eventually(
    async () => (await from.browser.post('/api/gifts/preview', { recipientId: to.id, amount: 1_000 })).body.code,
    (code) => code === 'SPENDING_FROZEN',
  );

describe('buying Nova with a card', () => {
  let api: TestApi;
  let admin: TestMember;
  let config: Config;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    config = api.nova.app.get<Config>(CONFIG);
  });
  afterAll(() => api?.close());

  const asStripe = () => ({ authorization: `Bearer ${config.secrets.sandboxApiKey}` });
  const refund = (paymentIntent: string, amount?: number) =>
    stripeForm(
      api.browser(),
      'refunds',
      { payment_intent: paymentIntent, ...(amount === undefined ? {} : { amount: String(amount) }) },
      asStripe(),
    );
  const undelivered = async (): Promise<number> =>
    Number(
      (await api.database.pool.query('select count(*) from sandbox.event where delivered_at is null')).rows[0].count,
    );
  const allDelivered = () => eventually(undelivered, (count) => count === 0);
  /** Delays webhooks for an hour, as if they had been lost. */
  const loseWebhooks = () =>
    api.database.pool.query(
      `update sandbox.event set next_attempt_at = now() + interval '1 hour' where delivered_at is null`,
    );
  const webhook = (event: unknown, secret = config.secrets.sandboxWebhookSecret) => {
    const payload = JSON.stringify(event);
    const time = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex');
    return api.browser().send('POST', '/api/webhooks/stripe', {
      body: payload,
      headers: { 'stripe-signature': `t=${time},v1=${signature}` },
    });
  };

  it('credits what was paid, and says so the same way each time', async () => {
    const ada = await api.member();
    const created = await ada.browser.post('/api/nova/create-payment-intent', { amount: 1_251 });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
      paymentIntentId: expect.stringMatching(/^pi_\w+$/),
      amount: 1_251,
      chargedCents: 101,
      sandbox: true,
      publishableKey: null,
    });
    const early = await confirm(ada, created.body.paymentIntentId);
    expect([early.status, early.body.code]).toEqual([409, 'PAYMENT_NOT_COMPLETE']);
    expect((await pay(ada, created.body)).body).toMatchObject({ status: 'succeeded', amount_received: 101 });
    const first = await confirm(ada, created.body.paymentIntentId);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ amount: 1_251, novaBalance: 1_251, eventId: expect.any(String), projected: true });
    expect((await confirm(ada, created.body.paymentIntentId)).body).toEqual(first.body);
    await allDelivered();
    expect((await ada.browser.get('/api/nova/balance')).body).toMatchObject({
      novaBalance: 1_251,
      purchasedNova: 1_251,
    });
    expect(await rows(ada)).toHaveLength(1);
  });

  it.each([
    ['below the least', 1_249, 'Minimum purchase amount is 1,250 Nova Points ($1.00)'],
    ['zero', 0, 'Minimum purchase amount is 1,250 Nova Points ($1.00)'],
    ['negative', -1_250, 'Minimum purchase amount is 1,250 Nova Points ($1.00)'],
    ['above the most', 10_000_001, 'Maximum purchase amount is 10,000,000 Nova Points ($8,000.00)'],
    ['a fraction', 1_250.5, 'The amount must be a whole number of Nova Points.'],
    ['text', '1250', expect.any(String)],
    ['null', null, expect.any(String)],
    ['absent', undefined, expect.any(String)],
  ])('refuses an amount that is %s', async (_, amount, message) => {
    const answer = await admin.browser.post('/api/nova/create-payment-intent', { amount });
    expect(answer.body).toMatchObject({ statusCode: 400, code: 'INVALID_AMOUNT', message });
  });

  it('gives the first payment again for the same key, and refuses another amount with it', async () => {
    const ada = await api.member();
    const create = (amount: number) =>
      ada.browser.post('/api/nova/create-payment-intent', { amount }, { 'idempotency-key': 'one' });
    const first = await create(1_250);
    expect((await create(1_250)).body).toEqual(first.body);
    const other = await create(2_500);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('credits a payment once under one key, which is good for no other payment', async () => {
    const ada = await api.member();
    const [bought, other] = [await setUp(ada, 1_250), await setUp(ada, 2_500)];
    await pay(ada, bought);
    await pay(ada, other);
    const confirmWith = (key: string, { paymentIntentId }: { paymentIntentId: string }) =>
      ada.browser.post('/api/nova/confirm-purchase', { paymentIntentId }, { 'idempotency-key': key });
    const first = await confirmWith('one', bought);
    expect([first.status, (await confirmWith('one', bought)).body.eventId]).toEqual([200, first.body.eventId]);
    const reused = await confirmWith('one', other);
    expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const malformed = await confirmWith('x'.repeat(256), other);
    expect([malformed.status, malformed.body.code]).toEqual([400, 'INVALID_IDEMPOTENCY_KEY']);
  });

  it('takes the key of a confirmation that was refused again', async () => {
    const ada = await api.member();
    const [unpaid, paid] = [await setUp(ada, 1_250), await setUp(ada, 1_250)];
    await pay(ada, paid);
    const key = { 'idempotency-key': 'one' };
    const answers = [];
    for (const { paymentIntentId } of [unpaid, paid]) {
      answers.push((await ada.browser.post('/api/nova/confirm-purchase', { paymentIntentId }, key)).status);
    }
    expect(answers).toEqual([409, 200]);
  });

  it('answers a declined card with its reason, and takes another card then', async () => {
    const ada = await api.member();
    const intent = await setUp(ada, 1_250);
    const declined = await pay(ada, intent, 'pm_card_chargeDeclinedInsufficientFunds');
    expect(declined.status).toBe(402);
    expect(declined.body.error).toMatchObject({
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
      payment_intent: { id: intent.paymentIntentId, status: 'requires_payment_method' },
    });
    const answer = await confirm(ada, intent.paymentIntentId);
    expect(answer.body).toMatchObject({
      statusCode: 402,
      code: 'CARD_DECLINED',
      message: 'Your card has insufficient funds.',
      declineCode: 'insufficient_funds',
    });
    expect((await pay(ada, intent, 'pm_card_mastercard')).status).toBe(200);
    expect((await confirm(ada, intent.paymentIntentId)).status).toBe(200);
    expect((await pay(ada, intent)).body.error.code).toBe('payment_intent_unexpected_state');
  });

  it('knows a payment to its own member only', async () => {
    const ada = await api.member();
    const eve = await api.member();
    const intent = await setUp(ada, 1_250);
    await pay(ada, intent);
    for (const id of [intent.paymentIntentId, 'pi_none', '../refunds', '']) {
      expect((await confirm(eve, id)).status).toBe(404);
    }
    expect((await confirm(eve, 'x'.repeat(65))).status).toBe(400);
    expect(await novaBalance(eve)).toBe(0);
    await eventually(
      () => novaBalance(ada),
      (nova) => nova === 1_250,
    );
  });

  it('credits once when confirm calls and webhooks race', async () => {
    const ada = await api.member();
    const intents = await Promise.all([1_250, 2_500, 5_000].map((amount) => setUp(ada, amount)));
    await Promise.all(
      intents.map(async (intent) => {
        await pay(ada, intent);
        const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(ada, intent.paymentIntentId)));
        expect(new Set(answers.map(({ body }) => body.eventId)).size).toBe(1);
      }),
    );
    await allDelivered();
    expect(await novaBalance(ada)).toBe(8_750);
    expect(await rows(ada)).toHaveLength(3);
  });

  it('credits by the webhook alone, and by replays of it no more', async () => {
    const ada = await api.member();
    const intent = await setUp(ada, 1_250);
    await pay(ada, intent);
    await eventually(
      () => novaBalance(ada),
      (nova) => nova === 1_250,
    );
    await allDelivered();
    await api.database.pool.query(
      'update sandbox.event set delivered_at = null, next_attempt_at = now(), attempts = 0',
    );
    await allDelivered();
    expect(await rows(ada)).toHaveLength(1);
  });

  it('credits what only the reconciler finds', async () => {
    const ada = await api.member();
    const intent = await setUp(ada, 1_250);
    const { paymentIntentId } = intent;
    await api.database.pool.query(
      `create or replace function sandbox.lose() returns trigger language plpgsql as
         $$ begin new.next_attempt_at := now() + interval '1 hour'; return new; end $$;
       create trigger lose before insert on sandbox.event for each row execute function sandbox.lose()`,
    );
    try {
      await pay(ada, intent);
    } finally {
      await api.database.pool.query('drop trigger lose on sandbox.event');
    }
    expect(await novaBalance(ada)).toBe(0);
    await api.database.pool.query('update payment set next_check_at = now() where payment_intent_id = $1', [
      paymentIntentId,
    ]);
    // The application's own sweep may come first and find it.
    await api.nova.app.get(PaymentReconciler).sweep();
    await eventually(
      () => novaBalance(ada),
      (nova) => nova === 1_250,
    );
    await loseWebhooks();
    await api.database.pool.query('update sandbox.event set delivered_at = now() where delivered_at is null');
  });

  describe('webhooks', () => {
    it('must be signed', async () => {
      const forged = await webhook(eventOf({ id: 'pi_x' }), 'whsec_guess');
      expect([forged.status, forged.body.code]).toEqual([400, 'BAD_SIGNATURE']);
      for (const headers of [undefined, { 'stripe-signature': 'x' }, { 'stripe-signature': 't=1,v1=00' }]) {
        expect(
          (await api.browser().send('POST', '/api/webhooks/stripe', { body: '{}', ...(headers ? { headers } : {}) }))
            .status,
        ).toBe(400);
      }
      expect((await api.browser().send('POST', '/api/webhooks/stripe', {})).status).toBe(400);
    });

    const of = (type: string, data: unknown) => ({ id: 'evt_x', livemode: false, type, data });
    const broken: [what: string, event: unknown][] = [
      ['nothing', null],
      ['a list', []],
      ['a number', 7],
      ['no type', { id: 'evt_x', livemode: false }],
      ['no mode', { id: 'evt_x', type: 'payment_intent.succeeded', data: { object: { id: 'pi_x' } } }],
      ...['payment_intent.succeeded', 'charge.refunded', 'refund.created', 'charge.dispute.closed'].flatMap((type) =>
        [undefined, null, 'pi_x', {}, { object: null }, { object: 'pi_x' }, { object: {} }, { object: { id: 7 } }].map(
          (data): [string, unknown] => [`${type} with ${JSON.stringify(data)}`, of(type, data)],
        ),
      ),
      ['a refund of a number', of('refund.updated', { object: { id: 're_x', payment_intent: 7 } })],
      ['a refund of an object without an id', of('refund.updated', { object: { id: 're_x', payment_intent: {} } })],
      ['an endless id', of('payment_intent.succeeded', { object: { id: 'x'.repeat(300) } })],
    ];
    it.each(broken)('that are signed and hold %s are refused', async (_, event) => {
      const answer = await webhook(event);
      expect([answer.status, answer.body.code]).toEqual([400, 'UNREADABLE_EVENT']);
    });

    it('are taken when their kind means nothing here, whatever they hold', async () => {
      for (const data of [undefined, null, {}, { object: null }]) {
        expect((await webhook(of('v2.core.account.updated', data))).status).toBe(200);
      }
    });

    it('are believed only as far as the provider bears them out', async () => {
      const ada = await api.member();
      const intent = await setUp(ada, 5_000);
      const lie = {
        id: intent.paymentIntentId,
        status: 'succeeded',
        amount_received: 400,
        metadata: { userId: ada.id, amount: '5000' },
      };
      expect((await webhook(eventOf(lie))).status).toBe(200);
      expect((await webhook(eventOf({ id: 'pi_unknown' }))).status).toBe(200);
      expect((await webhook(eventOf({}, 'customer.created'))).body).toEqual({ received: true });
      expect(await novaBalance(ada)).toBe(0);
    });
  });

  const disputeOf = async (paymentIntent: string): Promise<string> => {
    const found = await api.browser().get(`/sandbox/stripe/v1/disputes?payment_intent=${paymentIntent}`, asStripe());
    return found.body.data[0].id;
  };

  describe('refunds', () => {
    it('in part reverse in proportion, and all parts together the whole', async () => {
      const ada = await api.member();
      const id = await buy(ada, 1_251);
      expect((await refund(id, 1)).status).toBe(200);
      await eventually(
        () => novaBalance(ada),
        (nova) => nova === 1_251 - 12.38,
      );
      expect((await refund(id, 50)).status).toBe(200);
      expect((await refund(id)).body.amount).toBe(50);
      await eventually(
        () => novaBalance(ada),
        (nova) => nova === 0,
      );
      await allDelivered();
      expect((await rows(ada)).map(({ type }) => type)).toEqual([
        'purchase_refund',
        'purchase_refund',
        'purchase_refund',
        'purchase',
      ]);
      const [, , , purchase] = await rows(ada);
      const details = await ada.browser.get(`/api/nova/transactions/${purchase!.id}`);
      expect(details.body.related).toHaveLength(3);
    });

    it('are made of what is paid after the member was deleted, and nothing is credited', async () => {
      const ada = await api.member();
      const intent = await setUp(ada, 1_250);
      expect((await admin.browser.delete(`/api/admin/users/${ada.id}`)).status).toBe(200);
      await pay(ada, intent);
      await eventually(
        async () =>
          (await api.browser().get(`/sandbox/stripe/v1/refunds?payment_intent=${intent.paymentIntentId}`, asStripe()))
            .body,
        ({ data }) => data.length === 1,
      );
      const { rows: events } = await api.database.pool.query(
        `select type from journal.events where data like '%' || $1 || '%' order by position`,
        [intent.paymentIntentId],
      );
      expect(events).toEqual([]);
    });

    it('that come before the credit leave nothing over', async () => {
      const ada = await api.member();
      const intent = await setUp(ada, 1_250);
      await pay(ada, intent);
      await refund(intent.paymentIntentId);
      await allDelivered();
      expect((await confirm(ada, intent.paymentIntentId)).status).toBe(200);
      await eventually(
        () => rows(ada),
        (all) => all.length === 2,
      );
      expect(await novaBalance(ada)).toBe(0);
    });

    it('of Nova that was given away take what is there, and never go below zero', async () => {
      const ada = await api.member();
      const bob = await api.member();
      const id = await buy(ada, 2_500);
      await ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount: 2_000 });
      await refund(id);
      await eventually(
        () => novaBalance(ada),
        (nova) => nova === 0,
      );
      expect(await novaBalance(bob)).toBe(1_000);
      const [reversal] = await rows(ada);
      expect(reversal).toMatchObject({ type: 'purchase_refund', amount: -500, shortfall: 2_000, balanceAfter: 0 });
    });

    it('of Nova of which nothing is left are in the statement, the admin’s list and the export all the same', async () => {
      const ada = await api.member();
      const id = await buy(ada, 1_250);
      await ada.browser.post('/api/gifts/send', { recipientId: (await api.member()).id, amount: 1_250 });
      await refund(id);
      const [reversal] = await eventually(
        () => rows(ada),
        (all) => all.length === 3,
      );
      expect(reversal).toMatchObject({ type: 'purchase_refund', amount: 0, shortfall: 1_250, balanceAfter: 0 });
      const query = `userId=${ada.id}&type=purchase_refund`;
      const listed = await admin.browser.get(`/api/admin/transactions?${query}`);
      expect(listed.body.transactions).toMatchObject([{ id: reversal!.id, amount: 0, shortfall: 1_250 }]);
      const csv: string = (await admin.browser.get(`/api/admin/transactions.csv?${query}`)).body;
      expect(csv.split('\r\n')[1]).toContain(',purchase_refund,0.00,0.00,1250.00,');
      expect(csv.split('\r\n')[1]).toContain(`,${reversal!.id},`);
    });

    it("need the stand-in's own key", async () => {
      const ada = await api.member();
      const id = await buy(ada, 1_250);
      for (const headers of [undefined, { authorization: 'Bearer sk_test_guess' }, { authorization: 'Basic x' }]) {
        const answer = await stripeForm(ada.browser, 'refunds', { payment_intent: id }, headers);
        expect(answer.status).toBe(401);
        expect(answer.body.error.type).toBe('invalid_request_error');
      }
      const secretless = await stripeForm(ada.browser, `payment_intents/${id}/confirm`, {
        payment_method: 'pm_card_visa',
      });
      expect(secretless.status).toBe(401);
      const forged = await stripeForm(ada.browser, 'payment_intents', {
        amount: '100',
        currency: 'usd',
        'metadata[userId]': ada.id,
      });
      expect(forged.status).toBe(401);
    });
  });

  describe('disputes', () => {
    it('stop spending, and winning one allows it again', async () => {
      const ada = await api.member();
      const id = await buy(ada, 5_000, 'pm_card_createDispute');
      await frozen(ada, admin);
      const refused = await gift(ada, admin);
      expect([refused.status, refused.body.code]).toEqual([403, 'SPENDING_FROZEN']);
      await stripeForm(
        api.browser(),
        `disputes/${await disputeOf(id)}`,
        { 'evidence[uncategorized_text]': 'winning_evidence' },
        asStripe(),
      );
      await allDelivered();
      expect((await gift(ada, admin)).status).toBe(201);
    });

    it('that are lost take the Nova back, and spending stays stopped until an admin lifts it', async () => {
      const ada = await api.member();
      await buy(ada, 2_500);
      const id = await buy(ada, 5_000, 'pm_card_createDispute');
      await frozen(ada, admin);
      await stripeForm(api.browser(), `disputes/${await disputeOf(id)}/close`, {}, asStripe());
      await allDelivered();
      expect(await novaBalance(ada)).toBe(2_500);
      expect((await gift(ada, admin)).body.code).toBe('SPENDING_FROZEN');
      expect((await admin.browser.post(`/api/admin/users/${ada.id}/lift-freeze`)).status).toBe(201);
      expect((await gift(ada, admin)).status).toBe(201);
      const again = await admin.browser.post(`/api/admin/users/${ada.id}/lift-freeze`);
      expect([again.status, again.body.code]).toEqual([409, 'NOT_FROZEN']);
    });

    it('told in the wrong order, or again and again, end the same', async () => {
      const ada = await api.member();
      const id = await buy(ada, 5_000, 'pm_card_createDispute');
      const dispute = await disputeOf(id);
      await allDelivered();
      await stripeForm(
        api.browser(),
        `disputes/${dispute}`,
        { 'evidence[uncategorized_text]': 'winning_evidence' },
        asStripe(),
      );
      await allDelivered();
      const tell = (type: string) =>
        webhook({
          id: 'evt_y',
          object: 'event',
          livemode: false,
          type,
          data: { object: { id: dispute, object: 'dispute' } },
        });
      const types = ['charge.dispute.closed', 'charge.dispute.created', 'charge.dispute.funds_withdrawn'];
      const answers = await Promise.all([...types, ...types].map(tell));
      expect(answers.map(({ status }) => status)).toEqual(Array<number>(6).fill(200));
      expect((await gift(ada, admin)).status).toBe(201);
    });
  });

  it('refuses odd requests to the stand-in in the shape of Stripe', async () => {
    const odd: [string, Record<string, string>][] = [
      ['payment_intents', { amount: '-1', currency: 'usd' }],
      ['payment_intents', { amount: '100', currency: 'eur' }],
      ['payment_intents', { 'a[b': '1' }],
      ['refunds', { payment_intent: 'pi_none' }],
      ['disputes/dp_none/close', {}],
    ];
    for (const [path, fields] of odd) {
      const answer = await stripeForm(api.browser(), path, fields, asStripe());
      expect([400, 404]).toContain(answer.status);
      expect(answer.body.error).toMatchObject({ type: 'invalid_request_error', message: expect.any(String) });
    }
  });
});
