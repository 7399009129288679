import { setTimeout as pause } from 'node:timers/promises';
import { CONFIG, type Config } from '../../apps/api/src/platform/config.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { awayFromMidnight } from '../support/midnight.js';
import { eventually } from '../support/eventually.js';
import { signInAdmin, stripeForm } from '../support/money.js';

const BASE = '/api/admin/finance/general-ledger';

interface Figure {
  readonly account: string;
  readonly cents: number;
}

describe('the books in dollars', () => {
  let api: TestApi;
  let admin: TestMember;
  let secrets: Config['secrets'];

  beforeAll(async () => {
    await awayFromMidnight();
    ({ api, admin } = await signInAdmin(startTestApi));
    ({ secrets } = api.nova.app.get<Config>(CONFIG));
  });
  afterAll(() => api?.close());

  const get = async (path: string) => {
    const answer = await admin.browser.get(`${BASE}/${path}`);
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const figures = ({ figures: found }: { figures: Figure[] }): Record<string, number> =>
    Object.fromEntries(found.map(({ account, cents }) => [account, cents]));
  const statements = async (query = '') => (await get(`statements${query}`)).statements;

  const buy = async (member: TestMember, nova: number): Promise<string> => {
    const created = await member.browser.post('/api/nova/create-payment-intent', { amount: nova });
    const { paymentIntentId, clientSecret } = created.body;
    const fields = { payment_method: 'pm_card_visa', client_secret: clientSecret };
    await stripeForm(member.browser, `payment_intents/${paymentIntentId}/confirm`, fields);
    expect((await member.browser.post('/api/nova/confirm-purchase', { paymentIntentId })).status).toBe(200);
    return paymentIntentId;
  };
  const refund = (paymentIntent: string, cents: number) =>
    stripeForm(
      api.browser(),
      'refunds',
      { payment_intent: paymentIntent, amount: String(cents) },
      { authorization: `Bearer ${secrets.sandboxApiKey}` },
    );
  const reconcile = async () => {
    // The provider's times are whole seconds.
    await pause(1_100);
    const { body, status } = await admin.browser.post('/api/admin/reconciliation/runs', {});
    expect(status).toBe(201);
    await eventually(
      async () => (await admin.browser.get('/api/admin/reconciliation/runs?limit=100')).body.runs,
      (runs: { id: string; state: string }[]) => runs.find(({ id }) => id === body.id)?.state === 'done',
    );
  };

  it('follow a purchase, a gift, a refund and the provider’s movements to the cent', async () => {
    const [ada, bob] = [await api.member(), await api.member()];
    const paid = await buy(ada, 100_001);
    // Nobody holds Influence: half of a gift is our commission.
    const gift = { recipientId: bob.id, amount: 1_250 };
    expect((await ada.browser.post('/api/gifts/send', gift)).status).toBe(201);
    const before = await statements();
    expect(figures(before.balanceSheet.assets)).toEqual({ 'assets:provider:clearing': 8_001 });
    expect(figures(before.balanceSheet.liabilities)).toEqual({ 'liabilities:deferred-revenue': 7_951 });
    expect(figures(before.incomeStatement.revenue)).toEqual({ 'income:revenue:commission': 50 });
    expect(before.rollForward).toMatchObject({
      openingCents: 0,
      closingCents: 7_951,
      roundingCents: 0,
      flows: [
        { flow: 'sold', cents: 8_001, exact: '80.010000' },
        { flow: 'commission', cents: -50 },
        { flow: 'burned', cents: 0 },
        { flow: 'reversed', cents: 0 },
        { flow: 'deducted', cents: 0 },
        { flow: 'forfeited', cents: 0 },
      ],
    });

    expect((await refund(paid, 400)).status).toBe(200);
    await reconcile();
    const { balanceSheet, incomeStatement } = await eventually(
      statements,
      ({ rollForward }) => rollForward.flows[3].cents !== 0,
    );
    // The fee is the stand-in's: 2.9 % and 30 cents.
    expect(figures(balanceSheet.assets)).toEqual({ 'assets:provider:balance': 8_001 - 262 - 400 });
    expect(figures(balanceSheet.liabilities)).toEqual({ 'liabilities:deferred-revenue': 7_551 });
    expect(figures(incomeStatement.expenses)).toEqual({ 'expenses:provider:fees': 262 });
    expect(balanceSheet.assets.cents).toBe(
      balanceSheet.liabilities.cents + balanceSheet.equity.cents + balanceSheet.resultCents,
    );
    expect(balanceSheet.resultCents).toBe(incomeStatement.resultCents);
  });
});
