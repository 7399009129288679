import type { Ledger } from '../../libs/ledger/src/index.js';
import { CONFIG, type Config } from '../../apps/api/src/platform/config.js';
import { LEDGER } from '../../apps/api/src/platform/ledger/injected-ledger.js';
import { createTestDatabase } from '../support/postgres.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { novaBalance, signInAdmin, stripeForm } from '../support/money.js';

const LIVE = {
  STRIPE_SECRET_KEY: 'sk_live_of_nobody',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_of_nobody',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_nobody',
};

describe('how card payments are set up', () => {
  it('the stand-in does not run in production, nor on a public address, and says so', async () => {
    const environments: Record<string, string>[] = [{ NODE_ENV: 'production' }, { PUBLIC_URL: 'https://nova.example' }];
    for (const environment of environments) {
      const api = await startTestApi({ environment });
      try {
        const ada = await api.member();
        const create = await ada.browser.post('/api/nova/create-payment-intent', { amount: 1_250 });
        expect([create.status, create.body.code]).toEqual([503, 'PAYMENTS_UNAVAILABLE']);
        expect(
          (await stripeForm(ada.browser, 'payment_intents/pi_x/confirm', { payment_method: 'pm_card_visa' })).status,
        ).toBe(404);
        expect((await ada.browser.get('/sandbox/stripe/v1/payment_intents/pi_x')).status).toBe(404);
        expect((await ada.browser.get('/api/nova/balance')).status).toBe(200);
      } finally {
        await api.close();
      }
    }
  });

  it('without payments a reconciliation says so, and of a range that cannot be says that first', async () => {
    const { api, admin } = await signInAdmin(startTestApi, { environment: { NODE_ENV: 'production' } });
    try {
      const begin = (range: object) => admin.browser.post('/api/admin/reconciliation/runs', range);
      expect((await begin({ to: '2999-01-01' })).status).toBe(400);
      const { status, body } = await begin({});
      expect([status, body.code]).toEqual([503, 'PAYMENTS_UNAVAILABLE']);
    } finally {
      await api.close();
    }
  });

  it('with a live key it refuses to start on a journal with sandbox purchases', async () => {
    const database = await createTestDatabase('live');
    try {
      const first = await startTestApi({ database });
      const ada = await first.member();
      const intent = (await ada.browser.post('/api/nova/create-payment-intent', { amount: 1_250 })).body;
      await stripeForm(ada.browser, `payment_intents/${intent.paymentIntentId}/confirm`, {
        payment_method: 'pm_card_visa',
        client_secret: intent.clientSecret,
      });
      await eventually(
        () => novaBalance(ada),
        (nova) => nova === 1_250,
      );
      await first.close();
      await expect(startTestApi({ database, environment: LIVE })).rejects.toThrow('live key');
    } finally {
      await database.drop();
    }
  });

  it('with a live key it refuses to start on a journal with demo purchases', async () => {
    const database = await createTestDatabase('livedemo');
    try {
      await (await startTestApi({ database })).close();
      // The row as an earlier release left it.
      await database.pool.query('insert into demo_data (done_at) values (now())');
      await expect(startTestApi({ database, environment: LIVE })).rejects.toThrow('live key');
    } finally {
      await database.drop();
    }
  });

  it('a payment for an account that closed meanwhile is given back once its dispute is won', async () => {
    const { api } = await signInAdmin(startTestApi);
    try {
      const ada = await api.member();
      const intent = (await ada.browser.post('/api/nova/create-payment-intent', { amount: 1_250 })).body;
      await api.nova.app
        .get<TestLedger>(LEDGER)
        .execute({ command: { type: 'CloseAccount', userId: ada.id }, actor: 'process' });
      await stripeForm(ada.browser, `payment_intents/${intent.paymentIntentId}/confirm`, {
        payment_method: 'pm_card_createDispute',
        client_secret: intent.clientSecret,
      });
      const { pool } = api.database;
      await eventually(
        async () =>
          (
            await pool.query(`select (select state from payment) as state,
              (select count(*)::int from sandbox.event where delivered_at is null) as told_of`)
          ).rows[0],
        ({ state, told_of: toldOf }) => state === 'returned' && toldOf === 0,
      );
      const ofKind = async (kind: string) =>
        (await pool.query('select body from sandbox.object where kind = $1', [kind])).rows.map(({ body }) => body);
      expect(await ofKind('refund')).toEqual([]);
      const [dispute] = await ofKind('dispute');
      const { secrets } = api.nova.app.get<Config>(CONFIG);
      await stripeForm(
        api.browser(),
        `disputes/${dispute.id}`,
        { 'evidence[uncategorized_text]': 'winning_evidence' },
        { authorization: `Bearer ${secrets.sandboxApiKey}` },
      );
      const refunds = await eventually(
        () => ofKind('refund'),
        (found) => found.length > 0,
      );
      expect(refunds).toMatchObject([{ amount: 100, status: 'succeeded' }]);
    } finally {
      await api.close();
    }
  });

  it('a payment for an account that closed meanwhile is given back', async () => {
    const { api } = await signInAdmin(startTestApi);
    try {
      const ada = await api.member();
      const intent = (await ada.browser.post('/api/nova/create-payment-intent', { amount: 1_250 })).body;
      const ledger: TestLedger = api.nova.app.get<Ledger>(LEDGER);
      await ledger.execute({ command: { type: 'CloseAccount', userId: ada.id }, actor: 'process' });
      await stripeForm(ada.browser, `payment_intents/${intent.paymentIntentId}/confirm`, {
        payment_method: 'pm_card_visa',
        client_secret: intent.clientSecret,
      });
      await eventually(
        async () => (await api.database.pool.query('select state from payment')).rows[0].state,
        (state) => state === 'returned',
      );
      const refunds = await api.database.pool.query(`select body from sandbox.object where kind = 'refund'`);
      expect(refunds.rows).toEqual([{ body: expect.objectContaining({ amount: 100, status: 'succeeded' }) }]);
      const confirm = () => ada.browser.post('/api/nova/confirm-purchase', { paymentIntentId: intent.paymentIntentId });
      expect(await confirm()).toMatchObject({ status: 403, body: { code: 'ACCOUNT_CLOSED' } });
      // The provider forgets keys after a day, and then says that nothing is left to refund.
      await api.database.pool.query('delete from sandbox.idempotency');
      expect(await confirm()).toMatchObject({ status: 403, body: { code: 'ACCOUNT_CLOSED' } });
    } finally {
      await api.close();
    }
  });
});

type TestLedger = Pick<Ledger, 'execute'>;

describe('a server that ends while webhooks are under way', () => {
  it('ends at once', async () => {
    for (const afterMs of [0, 7, 14, 28]) {
      const api = await startTestApi();
      const ada = await api.member();
      const intent = (await ada.browser.post('/api/nova/create-payment-intent', { amount: 1_250 })).body;
      await stripeForm(ada.browser, `payment_intents/${intent.paymentIntentId}/confirm`, {
        payment_method: 'pm_card_visa',
        client_secret: intent.clientSecret,
      });
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      const began = Date.now();
      await api.close();
      expect(Date.now() - began).toBeLessThan(5_000);
    }
  });
});

describe('webhooks that a killed process did not send', () => {
  it('are sent by the next', async () => {
    const database = await createTestDatabase('outbox');
    let api: TestApi | undefined;
    try {
      api = await startTestApi({ database });
      const ada = await api.member();
      const intent = (await ada.browser.post('/api/nova/create-payment-intent', { amount: 1_250 })).body;
      await database.pool.query(
        `create function sandbox.later() returns trigger language plpgsql as
           $$ begin new.next_attempt_at := now() + interval '2 seconds'; return new; end $$;
         create trigger later before insert on sandbox.event for each row execute function sandbox.later()`,
      );
      await stripeForm(ada.browser, `payment_intents/${intent.paymentIntentId}/confirm`, {
        payment_method: 'pm_card_visa',
        client_secret: intent.clientSecret,
      });
      await api.close();
      api = await startTestApi({ database });
      await eventually(
        async () => (await database.pool.query('select state from payment')).rows[0].state,
        (state) => state === 'credited',
      );
    } finally {
      await api?.close();
      await database.drop();
    }
  });
});
