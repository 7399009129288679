import { verify } from '../../apps/api/src/finance/verify.js';
import { ReceivableSweeper } from '../../apps/api/src/payments/receivables/receivable-sweeper.js';
import { CONFIG, type Config } from '../../apps/api/src/platform/config.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { settled } from '../support/applications.js';
import { eventually } from '../support/eventually.js';
import { grantNova, novaBalance, signInAdmin, stripeForm } from '../support/money.js';

/** A day on which nothing moved: such a run only looks again at what was left open. */
const LONG_AGO = { from: '2026-01-01', to: '2026-01-01' };

describe('reversed purchases that members owe or get back', () => {
  let api: TestApi;
  let admin: TestMember;
  let secrets: Config['secrets'];

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi, { environment: { REPAY_SHORTFALLS: 'true' } }));
    ({ secrets } = api.nova.app.get<Config>(CONFIG));
  });
  afterAll(async () => {
    try {
      await settled(api);
      const { store } = api.nova.app.get<Journal>(JOURNAL);
      const { pool, url: connectionString } = api.database;
      const found: string[] = [];
      for await (const { breaches } of verify({ store, pool, connectionString })) found.push(...breaches);
      expect(found).toEqual([]);
    } finally {
      await api?.close();
    }
  });

  const sandbox = (sql: string, values: unknown[]) => api.database.pool.query(sql, values);
  const asStripe = () => ({ authorization: `Bearer ${secrets.sandboxApiKey}` });
  const asProvider = (path: string, fields: Record<string, string> = {}) =>
    stripeForm(api.browser(), path, fields, asStripe());
  const buy = async (member: TestMember, { card = 'pm_card_visa', credit = true } = {}): Promise<string> => {
    const { paymentIntentId, clientSecret } = (
      await member.browser.post('/api/nova/create-payment-intent', { amount: 125_000 })
    ).body;
    const fields = { payment_method: card, client_secret: clientSecret };
    await stripeForm(member.browser, `payment_intents/${paymentIntentId}/confirm`, fields);
    if (credit) await member.browser.post('/api/nova/confirm-purchase', { paymentIntentId });
    return paymentIntentId;
  };
  const balanceIs = (member: TestMember, nova: number) =>
    eventually(
      () => novaBalance(member),
      (balance) => balance === nova,
    );
  const receivablesOf = async ({ id }: TestMember) =>
    (await admin.browser.get('/api/admin/receivables?limit=100')).body.receivables.filter(
      ({ userId }: { userId: string }) => userId === id,
    );

  /** A member who bought 125,000 Nova, gave 100,000 away, and got their money back. */
  async function debtor(displayName: string): Promise<TestMember> {
    const [member, other] = [await api.member({ displayName }), await api.member()];
    const payment = await buy(member);
    await member.browser.post('/api/gifts/send', { recipientId: other.id, amount: 100_000 });
    await asProvider('refunds', { payment_intent: payment });
    await balanceIs(member, 0);
    await eventually(
      () => receivablesOf(member),
      (found) => found.length === 1,
    );
    return member;
  }

  const flaggedLine = async (paymentIntentId: string, code: string): Promise<string> => {
    await admin.browser.post('/api/admin/reconciliation/runs', LONG_AGO);
    const { lines } = (await admin.browser.get('/api/admin/reconciliation/lines?status=flagged&limit=100')).body;
    const line = lines.find((each: Record<string, unknown>) => each['paymentIntentId'] === paymentIntentId);
    expect(line).toMatchObject({ code, isSettleable: true });
    return line.id;
  };
  const settle = (id: string, body: unknown) =>
    admin.browser.post(`/api/admin/reconciliation/lines/${id}/settle`, body);

  it('are for admins only', async () => {
    const eve = await api.member();
    for (const [method, path] of [
      ['GET', '/api/admin/receivables'],
      ['POST', '/api/admin/receivables/re_1/write-off'],
      ['POST', '/api/admin/reconciliation/lines/txn_1/settle'],
    ] as const) {
      expect((await eve.browser.send(method, path)).status).toBe(403);
      expect((await api.browser().send(method, path)).status).toBe(401);
    }
  });

  it('are listed with member and age, repaid from the next Nova, and written off once', async () => {
    const dora = await debtor('Dora');
    expect((await receivablesOf(dora))[0]).toMatchObject({
      userName: 'Dora',
      reason: 'refund',
      shortfall: 100_000,
      repaid: 0,
      open: 100_000,
      ageDays: 0,
    });
    await grantNova(admin, dora.id, 30_000);
    await settled(api);
    await api.nova.app.get(ReceivableSweeper).sweep();
    await balanceIs(dora, 0);
    const [owed] = await eventually(
      () => receivablesOf(dora),
      ([found]) => found?.open === 70_000,
    );
    expect(owed).toMatchObject({ shortfall: 100_000, repaid: 30_000 });
    const [row] = (await dora.browser.get('/api/nova/transactions')).body.transactions;
    expect(row).toMatchObject({ type: 'shortfall_repaid', amount: -30_000 });

    const path = `/api/admin/receivables/${owed.reversalId}/write-off`;
    expect((await admin.browser.post(path, { reason: ' ' })).status).toBe(400);
    const done = await admin.browser.post(path, { reason: 'Left the country' });
    expect(done.body).toMatchObject({ amount: 70_000, message: 'Wrote off 70,000 Nova.' });
    expect((await admin.browser.post(path, { reason: 'Again' })).body.code).toBe('NO_SHORTFALL');
    expect((await admin.browser.post('/api/admin/receivables/re_x/write-off', { reason: 'x' })).status).toBe(404);
    await eventually(
      () => receivablesOf(dora),
      (found) => found.length === 0,
    );
    const { entries } = (await admin.browser.get('/api/admin/audit?action=ShortfallWrittenOff')).body;
    expect(entries).toMatchObject([{ targetId: dora.id, amount: 70_000, reason: 'Left the country' }]);
  });

  it('are owed by nobody once the account is closed', async () => {
    const fred = await debtor('Fred');
    expect((await admin.browser.send('DELETE', `/api/admin/users/${fred.id}`, { body: {} })).status).toBeLessThan(300);
    await eventually(
      () => receivablesOf(fred),
      (found) => found.length === 0,
    );
  });

  it('come back when the provider gave the money back after all, once, and the books agree', async () => {
    const gina = await api.member({ displayName: 'Gina' });
    const payment = await buy(gina, { card: 'pm_card_createDispute' });
    const { data } = (await api.browser().get(`/sandbox/stripe/v1/disputes?payment_intent=${payment}`, asStripe()))
      .body;
    await asProvider(`disputes/${data[0].id}/close`);
    await balanceIs(gina, 0);
    // A webhook that is still to come would find the dispute won, and end the pause itself.
    await eventually(
      () => sandbox('select from sandbox.event where delivered_at is null and gave_up_at is null', []),
      ({ rowCount }) => rowCount === 0,
    );
    // Won on appeal, and no webhook tells it: the provider's balance gets the amount again.
    await sandbox(`update sandbox.object set body = jsonb_set(body, '{status}', '"won"') where id = $1`, [data[0].id]);
    await sandbox(
      `insert into sandbox.object (id, kind, payment_intent, body)
       select id || '_won', kind, payment_intent, body || jsonb_build_object('id', id || '_won', 'amount',
         -(body->>'amount')::int, 'fee', 0, 'net', -(body->>'amount')::int, 'reporting_category', 'dispute_reversal')
       from sandbox.object where kind = 'balance_transaction' and payment_intent = $1
         and body->>'reporting_category' = 'dispute'`,
      [payment],
    );
    await admin.browser.post('/api/admin/reconciliation/runs', {});
    const line = await flaggedLine(payment, 'NOT_GIVEN_BACK');
    expect((await settle(line, {})).status).toBe(400);
    const answers = await Promise.all([settle(line, { reason: 'Appeal won' }), settle(line, { reason: 'Appeal won' })]);
    expect(answers.map(({ status }) => status).filter((status) => status !== 409)).toContain(200);
    await balanceIs(gina, 125_000);
    const { lines } = (await admin.browser.get('/api/admin/reconciliation/lines?status=all&limit=100')).body;
    const settledLine = lines.find(({ id }: { id: string }) => id === line);
    expect(settledLine).toMatchObject({ status: 'matched', isSettleable: false });
    const event = (await admin.browser.get(`/api/admin/events/${settledLine.eventId}`)).body;
    expect(event).toMatchObject({
      type: 'PurchaseReinstated',
      reason: 'Appeal won',
      related: [{ type: 'PurchaseReversed' }],
    });
    expect((await settle(line, { reason: 'Again' })).body.code).toBe('NOT_FLAGGED');
    const gift = { recipientId: (await api.member()).id, amount: 100_000 };
    expect((await gina.browser.post('/api/gifts/send', gift)).status).toBeLessThan(300);
  });

  it('are credited where the provider was paid and no webhook came', async () => {
    const hal = await api.member({ displayName: 'Hal' });
    await sandbox(
      `create function sandbox.put_off() returns trigger language plpgsql as
        $$ begin new.next_attempt_at := now() + interval '1 day'; return new; end $$;
      create trigger put_off before insert on sandbox.event for each row execute function sandbox.put_off()`,
      [],
    ).catch(() => undefined);
    const payment = await buy(hal, { credit: false });
    await sandbox(`update payment set next_check_at = now() + interval '1 day' where payment_intent_id = $1`, [
      payment,
    ]);
    await admin.browser.post('/api/admin/reconciliation/runs', {});
    await sandbox(
      `update reconciliation_line set happened_at = happened_at - interval '2 hours' where payment_intent_id = $1`,
      [payment],
    );
    const line = await flaggedLine(payment, 'NOT_CREDITED');
    expect(await novaBalance(hal)).toBe(0);
    expect((await settle(line, { reason: 'Webhook lost' })).body).toMatchObject({ status: 'matched' });
    await balanceIs(hal, 125_000);
    const { entries } = (await admin.browser.get('/api/admin/audit?action=DifferenceSettledByAdmin')).body;
    expect(entries).toMatchObject([{ targetId: line, reason: 'Webhook lost' }]);
    for (const id of ['nothing', 'x y', 'x'.repeat(200)]) {
      expect((await settle(encodeURIComponent(id), { reason: 'x' })).status).toBe(404);
    }
  });
});
