import { ProviderMovements, type ToldMovement } from '../../apps/api/src/finance/general-ledger/provider-movements.js';
import { CONFIG, type Config } from '../../apps/api/src/platform/config.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { awayFromMidnight } from '../support/midnight.js';
import { eventually } from '../support/eventually.js';
import { expectFiguresOfHledger, figuresOf, hasHledger } from '../support/hledger.js';
import { reconcile, signInAdmin, stripeForm } from '../support/money.js';

const BASE = '/api/admin/finance/general-ledger';

const TOLD: ToldMovement = {
  movementId: '',
  kind: 'payment',
  currency: 'usd',
  amount: 5_000,
  fee: 0,
  providerId: null,
  paymentIntentId: null,
  livemode: false,
  createdAt: Date.UTC(2020, 2, 10),
  arrivesAt: null,
};

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

  it('follow a purchase, a gift, a refund and the provider’s movements to the cent', async () => {
    const unseen = await post('periods', { month: LAST_MONTH });
    expect([unseen.status, unseen.body.code]).toEqual([409, 'PROVIDER_NOT_READ']);
    const [ada, bob] = [await api.member(), await api.member()];
    const paid = await buy(ada, 100_001);
    // Nobody holds Influence: half of a gift is our commission.
    const gift = { recipientId: bob.id, amount: 1_250 };
    expect((await ada.browser.post('/api/gifts/send', gift)).status).toBe(201);
    const before = await statements();
    expect(figuresOf(before.balanceSheet.assets)).toEqual({ 'assets:provider:clearing': 8_001 });
    expect(figuresOf(before.balanceSheet.liabilities)).toEqual({ 'liabilities:deferred-revenue': 7_951 });
    expect(figuresOf(before.incomeStatement.revenue)).toEqual({ 'income:revenue:commission': 50 });
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
    await reconcile(admin.browser);
    const { balanceSheet, incomeStatement } = await eventually(
      statements,
      ({ rollForward }) => rollForward.flows[3].cents !== 0,
    );
    // The fee is the stand-in's: 2.9 % and 30 cents.
    expect(figuresOf(balanceSheet.assets)).toEqual({ 'assets:provider:balance': 8_001 - 262 - 400 });
    expect(figuresOf(balanceSheet.liabilities)).toEqual({ 'liabilities:deferred-revenue': 7_551 });
    expect(figuresOf(incomeStatement.expenses)).toEqual({ 'expenses:provider:fees': 262 });
    expect(balanceSheet.assets.cents).toBe(
      balanceSheet.liabilities.cents + balanceSheet.equity.cents + balanceSheet.resultCents,
    );
    expect(balanceSheet.resultCents).toBe(incomeStatement.resultCents);
  });

  const post = (path: string, body: object) => admin.browser.post(`${BASE}/${path}`, body);
  const today = () => new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const LAST_MONTH = '2020-01';

  it('open each figure to its lines, the newest first', async () => {
    const account = 'assets:provider:balance';
    const { lines, nextCursor } = await get(`lines?account=${account}&limit=2`);
    expect(nextCursor).toEqual(expect.any(String));
    const { lines: older } = await get(`lines?account=${account}&limit=2&cursor=${nextCursor}`);
    const all: { cents: number; description: string }[] = [...lines, ...older];
    expect(all.map(({ cents }) => cents).toSorted((a, b) => a - b)).toEqual([-400, -262, 8_001]);
    const kinds = all.map(({ description }) => description.split(' ')[0]);
    expect(kinds.filter((kind) => kind === 'Payment')).toHaveLength(2);
    expect(kinds).toContain('Refund');
    const [sold] = (await get('lines?account=liabilities:deferred-revenue')).lines.slice(-1);
    expect(sold).toMatchObject({ source: 'ledger', type: 'NovaPurchased', cents: -8_001, eventId: expect.any(String) });
    const commission = (await get('lines?account=liabilities:deferred-revenue&flow=commission')).lines;
    expect(commission).toMatchObject([{ type: 'GiftSent', cents: 50, exact: '0.500057' }]);
    for (const [wrong, code] of [
      ['cursor=odd', 'INVALID_CURSOR'],
      ['flow=odd', 'INVALID_FLOW'],
      ['from=2026-03-02&to=2026-03-01', 'INVALID_PERIOD'],
      ['month=2026-03&from=2026-03-01', 'INVALID_PERIOD'],
    ]) {
      const answer = await admin.browser.get(`${BASE}/lines?account=${account}&${wrong}`);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
    }
  });

  it('balance day by day with the provider', async () => {
    const { days, providerReadUntil } = await get('control-totals');
    expect(providerReadUntil).toEqual(expect.any(String));
    expect(days).toEqual([
      {
        day: today(),
        provider: {
          openingCents: 0,
          paymentsCents: 8_001,
          refundsCents: -400,
          disputesCents: 0,
          feesCents: -262,
          payoutsCents: 0,
          otherCents: 0,
          closingCents: 7_339,
        },
        purchasesCents: 8_001,
        reversalsCents: 400,
        differenceCents: 0,
      },
    ]);
  });

  it('show a payment that one side does not know, until an admin says which account takes it', async () => {
    const ada = await api.member();
    const unknown = await buy(ada, 1_250);
    const { accounts } = await get('open');
    expect(accounts[0]).toMatchObject({ count: 1, subjects: [{ subject: unknown, cents: 100 }] });
    const explanation = { account: 'assets:provider:clearing', subject: unknown, reason: 'Written off' };
    for (const [wrong, code] of [
      [{ ...explanation, takenBy: 'assets:provider:balance' }, 'CONTROL_ACCOUNT'],
      [{ ...explanation, takenBy: 'assets:gold' }, 'INVALID_ACCOUNT'],
      [{ ...explanation, takenBy: 'income:other', reason: '' }, 'VALIDATION_FAILED'],
    ] as const) {
      const answer = await post('explanations', wrong);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
    }
    const taken = { ...explanation, takenBy: 'expenses:losses:differences' };
    const both = await Promise.all([post('explanations', taken), post('explanations', taken)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404]);
    expect((await get('open')).accounts[0]).toMatchObject({ count: 0, subjects: [] });
    const { incomeStatement } = await statements();
    expect(figuresOf(incomeStatement.expenses)).toMatchObject({ 'expenses:losses:differences': 100 });
    // The provider tells of it after all: now it is the loss that is too much.
    await reconcile(admin.browser);
    expect((await get('open')).accounts[0]).toMatchObject({ count: 1, subjects: [{ subject: unknown, cents: -100 }] });
    // The reconciliation flags the payment meanwhile: one explanation is for both.
    await api.database.pool.query(
      `update reconciliation_line set status = 'flagged', code = 'REPEATED'
      where payment_intent_id = $1`,
      [unknown],
    );
    expect(await lineOf(unknown)).toMatchObject({ status: 'flagged' });
    expect((await post('explanations', taken)).status).toBe(204);
    expect((await get('open')).accounts[0]).toMatchObject({ count: 0 });
    expect(await lineOf(unknown)).toMatchObject({
      status: 'explained',
      code: 'BY_ADMIN',
      explanation: { reason: 'Written off' },
    });
    expect((await post('explanations', taken)).status).toBe(404);
  });

  const lineOf = async (payment: string) => {
    const { lines } = (await admin.browser.get('/api/admin/reconciliation/lines?status=all&limit=100')).body;
    return lines.find(({ paymentIntentId }: { paymentIntentId: string }) => paymentIntentId === payment);
  };

  it('take the explanation that a line of the reconciliation gets, once', async () => {
    const byProvider = (path: string, fields: Record<string, string>) =>
      stripeForm(api.browser(), path, fields, { authorization: `Bearer ${secrets.sandboxApiKey}` });
    const charge = await byProvider('payment_intents', { amount: '700', currency: 'usd' });
    await byProvider(`payment_intents/${charge.body.id}/confirm`, { payment_method: 'pm_card_visa' });
    await reconcile(admin.browser);
    const line = await lineOf(charge.body.id);
    expect(line).toMatchObject({ status: 'flagged', code: 'NOT_OURS' });
    const clearing = async () => (await get('open')).accounts[0].subjects;
    expect(await clearing()).toMatchObject([{ subject: charge.body.id, cents: -700 }]);
    const explain = (body: object) => admin.browser.post(`/api/admin/reconciliation/lines/${line.id}/explain`, body);
    const controlled = await explain({ reason: 'Sold at the fair', takenBy: 'assets:provider:balance' });
    expect([controlled.status, controlled.body.code]).toEqual([400, 'CONTROL_ACCOUNT']);
    const given = { reason: 'Sold at the fair', takenBy: 'income:other' };
    const both = await Promise.all([explain(given), explain(given)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await clearing()).toEqual([]);
    expect(figuresOf((await statements()).incomeStatement.revenue)).toMatchObject({ 'income:other': 700 });
  });

  it('take adjustments that balance, in an open month, on accounts that nothing else follows from', async () => {
    const line = (account: string, cents: number) => ({ account, cents });
    const accrual = [line('expenses:losses:disputes', 500), line('liabilities:unapplied', -500)];
    const given = { date: today(), lines: accrual, reason: 'Disputes expected this month' };
    const once = (body: object) => admin.browser.post(`${BASE}/adjustments`, body, { 'idempotency-key': 'month-end' });
    const both = await Promise.all([once(given), once(given)]);
    expect(both.map(({ status }) => status)).toEqual([204, 204]);
    expect((await once(given)).status).toBe(204);
    expect((await once({ ...given, reason: 'Something else' })).status).toBe(422);
    const { balanceSheet } = await statements();
    expect(figuresOf(balanceSheet.liabilities)).toMatchObject({ 'liabilities:unapplied': 500 });
    const { lines } = await get('lines?account=liabilities:unapplied');
    expect(lines).toMatchObject([{ description: 'Adjustment: Disputes expected this month' }]);
    for (const [wrong, status, code] of [
      [
        { ...given, lines: [line('expenses:losses:disputes', 500), line('liabilities:unapplied', -499)] },
        400,
        'UNBALANCED',
      ],
      [
        { ...given, lines: [line('liabilities:deferred-revenue', 1), line('income:other', -1)] },
        400,
        'CONTROL_ACCOUNT',
      ],
      [{ ...given, lines: [line('income:other', 0), line('income:other', 0)] }, 400, 'UNBALANCED'],
      [{ ...given, lines: [line('income:other', 1.5), line('income:other', -1.5)] }, 400, 'VALIDATION_FAILED'],
      [{ ...given, lines: [] }, 400, 'VALIDATION_FAILED'],
      [{ ...given, lines: 'all' }, 400, 'VALIDATION_FAILED'],
      [{ ...given, lines: [null, null] }, 400, 'VALIDATION_FAILED'],
      [{ ...given, date: '2999-01-01' }, 400, 'INVALID_DATE'],
      [{ ...given, date: '2026-02-30' }, 400, 'INVALID_DATE'],
    ] as const) {
      const answer = await post('adjustments', wrong);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.body.message).toMatch(
        /^(?:An adjustment|An amount|A date|The date|Debits|Nothing is posted) .+\.$/,
      );
    }
  });

  it('are closed once, after the end of the month, and post nothing before it from then on', async () => {
    const running = await post('periods', { month: today().slice(0, 'yyyy-mm'.length) });
    expect([running.status, running.body.code]).toEqual([409, 'PERIOD_NOT_OVER']);
    const wrong = await post('periods', { month: '2026-13' });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_MONTH']);
    const both = await Promise.all([1, 2].map(() => post('periods', { month: LAST_MONTH })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('BOOKS_CLOSED');
    expect((await get('periods')).periods).toMatchObject([{ number: 1, month: LAST_MONTH }]);
    const lines = [
      { account: 'expenses:losses:disputes', cents: 1 },
      { account: 'income:other', cents: -1 },
    ];
    const late = await post('adjustments', { date: '2020-01-31', lines, reason: 'Too late' });
    expect([late.status, late.body.code]).toEqual([409, 'BOOKS_CLOSED']);
    expect((await statements(`?month=${LAST_MONTH}`)).isClosed).toBe(true);
  });

  it('stay open over a payment that only one side knows, and over another currency', async () => {
    const { store } = api.nova.app.get<Journal>(JOURNAL);
    const movements = api.nova.app.get(ProviderMovements);
    const tell = (...told: Partial<ToldMovement>[]) =>
      movements.record(
        (async function* () {
          for (const movement of told) yield { ...TOLD, ...movement };
        })(),
        new Date(),
      );
    const close = async (month: string) => {
      const { status, body } = await post('periods', { month });
      return [status, body.code ?? body.month];
    };
    await tell({ movementId: 'txn_a', paymentIntentId: 'pi_unknown' });
    // Told a second time, it is the same movement.
    await tell({ movementId: 'txn_a', paymentIntentId: 'pi_unknown' });
    const refused = await post('periods', { month: '2020-03' });
    expect(refused.body).toMatchObject({
      code: 'DIFFERENCES_OPEN',
      message: expect.stringContaining('pi_unknown (-50.00)'),
    });
    const account = 'assets:provider:clearing';
    const explained = { account, subject: 'pi_unknown', takenBy: 'liabilities:unapplied', reason: 'Not ours yet' };
    expect((await post('explanations', explained)).status).toBe(204);
    // It was open at the end of the month and is not any more: it keeps nothing open.
    expect((await get('open?month=2020-03')).accounts[0]).toMatchObject({
      unsettled: 0,
      subjects: expect.arrayContaining([
        expect.objectContaining({ subject: 'pi_unknown', cents: -5_000, centsNow: 0 }),
      ]),
    });
    await tell({ movementId: 'txn_b', currency: 'eur' });
    expect(await close('2020-03')).toEqual([409, 'OTHER_CURRENCY']);
    const aside = { account, subject: 'txn_b', takenBy: 'income:other', reason: 'Booked by hand' };
    const listed = async () => (await get('open?month=2020-03')).accounts[0].subjects[0];
    expect(await listed()).toMatchObject({ subject: 'txn_b', cents: 0 });
    expect((await post('explanations', aside)).status).toBe(204);
    expect((await post('explanations', aside)).status).toBe(404);
    expect(await listed()).toMatchObject({ subject: 'pi_unknown' });
    expect(await close('2020-02')).toEqual([201, '2020-02']);
    // What came in too early for anything was a liability at the end of the month, and is in clearing again the day after.
    expect(await close('2020-03')).toEqual([201, '2020-03']);
    const sheet = async (period: string) => {
      const { assets, liabilities } = (await statements(period)).balanceSheet;
      return { ...figuresOf(assets), ...figuresOf(liabilities) };
    };
    expect(await sheet('?month=2020-03')).toEqual({ 'assets:provider:balance': 5_000, 'liabilities:unapplied': 5_000 });
    const nextDay = { 'assets:provider:balance': 5_000, 'assets:provider:clearing': -5_000 };
    expect(await sheet('?from=2020-04-01&to=2020-04-01')).toEqual(nextDay);
    // That settles nothing: the payment is still listed, and the control totals still name it.
    expect((await get('open?month=2020-03')).accounts[0].subjects).toMatchObject([
      { subject: 'pi_unknown', cents: -5_000 },
    ]);
    expect((await get('control-totals?month=2020-03')).days).toMatchObject([{ differenceCents: -5_000 }]);
    expect((await get('control-totals?from=2020-04-01&to=2020-04-30')).days).toEqual([]);
    // Made before the end of the closed month, it is posted on the first moment after it.
    await tell({ movementId: 'txn_c', createdAt: Date.UTC(2020, 0, 15), amount: 7, paymentIntentId: 'pi_late' });
    const { lines } = await get(`lines?account=${account}&subject=pi_late&from=2020-01-01&to=2020-12-31`);
    expect(lines).toMatchObject([{ postedAt: '2020-04-01T00:00:00.000Z', cents: -7 }]);
    expect(await store.head('books')).toMatchObject({ type: 'ProviderRead' });
  });

  it('take a policy for an open month, with a reason', async () => {
    const given = { allowancePercent: 60, month: '2020-05', reason: 'Most of them pay' };
    for (const [wrong, status, code] of [
      [{ ...given, allowancePercent: 101 }, 400, 'VALIDATION_FAILED'],
      [{ ...given, allowancePercent: 1.5 }, 400, 'VALIDATION_FAILED'],
      [{ ...given, month: '2020-13' }, 400, 'INVALID_MONTH'],
      [{ ...given, reason: ' ' }, 400, 'VALIDATION_FAILED'],
      [{ ...given, month: '2020-03' }, 409, 'BOOKS_CLOSED'],
    ] as const) {
      const answer = await post('policies', wrong);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
    expect(await get('policies')).toEqual({ policies: [] });
    expect((await post('policies', given)).status).toBe(204);
    expect(await get('policies')).toEqual({
      policies: [{ allowancePercent: 60, month: '2020-05', reason: 'Most of them pay' }],
    });
  });

  it('are exported a few at once, and the next are asked to come back', async () => {
    const { store } = api.nova.app.get<Journal>(JOURNAL);
    const read = store.readStream.bind(store);
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const reads = jest.spyOn(store, 'readStream').mockImplementation(async function* (stream, options) {
      if (stream === 'books') await held;
      yield* read(stream, options);
    });
    const ask = (format = 'hledger') => admin.browser.get(`/api/admin/finance/export?format=${format}`);
    try {
      // Two are made and four wait, whichever they are.
      const asked = Array.from({ length: 7 }, (_, place) => ask(place % 2 === 0 ? 'hledger' : 'postings'));
      const refused = await Promise.race(asked);
      expect([refused.status, refused.body.code]).toEqual([503, 'BUSY']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      await eventually(
        async () => reads.mock.calls.filter(([stream]) => stream === 'books').length,
        (count) => count === 2,
      );
      // Events alone need no turn.
      expect((await ask('jsonl')).status).toBe(200);
      letGo();
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 200, 200, 200, 200, 200, 503]);
      expect((await ask()).status).toBe(200);
    } finally {
      letGo();
      reads.mockRestore();
    }
  });

  it('are for admins alone', async () => {
    const member = await api.member();
    for (const path of ['statements', 'lines?account=assets:bank', 'control-totals', 'open', 'periods', 'policies']) {
      expect((await member.browser.get(`${BASE}/${path}`)).status).toBe(403);
    }
  });

  (hasHledger ? it : it.skip)('are the figures of hledger’s bs and is, of an export of the same month', async () => {
    const shown = await statements();
    const [from, to] = [shown.period.from, shown.period.to].map((moment: string) => moment.slice(0, 10));
    const { body } = await admin.browser.get(`/api/admin/finance/export?format=hledger&from=${from}&to=${to}`);
    expectFiguresOfHledger(String(body), shown);
    expect(Object.keys(figuresOf(shown.incomeStatement.expenses))).toContain('expenses:provider:fees');
  });
});
