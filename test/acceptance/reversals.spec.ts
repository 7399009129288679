import { verify } from '../../apps/api/src/finance/verify.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { authorize, registerApplication, settled } from '../support/applications.js';
import { eventually } from '../support/eventually.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';

const UNKNOWN = '018f0000-0000-8000-8000-000000000000';

describe('movements that an admin reverses', () => {
  let api: TestApi;
  let admin: TestMember;
  let ada: TestMember;
  let bob: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  beforeEach(async () => {
    ada = await api.member({ displayName: 'Ada' });
    bob = await api.member({ displayName: 'Bob' });
    await grantNova(admin, ada.id, 3_000);
  });
  afterAll(async () => {
    try {
      const { store } = api.nova.app.get<Journal>(JOURNAL);
      const { pool, url: connectionString } = api.database;
      const found: string[] = [];
      for await (const { breaches } of verify({ store, pool, connectionString })) found.push(...breaches);
      expect(found).toEqual([]);
    } finally {
      await api?.close();
    }
  });

  const giftTo = async (recipient: TestMember, amount: number): Promise<string> =>
    (await ada.browser.post('/api/gifts/send', { recipientId: recipient.id, amount })).body.eventId;
  const preview = (eventId: string) => admin.browser.get(`/api/admin/events/${eventId}/reversal`);
  const reverse = (eventId: string, body: unknown) => admin.browser.post(`/api/admin/events/${eventId}/reverse`, body);
  const rowsOf = async ({ browser }: TestMember) => (await browser.get('/api/nova/transactions')).body.transactions;

  it('are for admins only', async () => {
    for (const [method, path] of [
      ['GET', `/api/admin/events/${UNKNOWN}/reversal`],
      ['POST', `/api/admin/events/${UNKNOWN}/reverse`],
    ] as const) {
      expect((await ada.browser.send(method, path)).status).toBe(403);
      expect((await api.browser().send(method, path)).status).toBe(401);
    }
  });

  it('show beforehand what comes back and from whom, then come back whole and are linked both ways', async () => {
    const eventId = await giftTo(bob, 1_000);
    const first = await preview(eventId);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      state: 'whole',
      amount: 1_000,
      returned: 1_000,
      parts: [
        { account: `user:${bob.id}:earned`, holder: 'Bob', amount: -500 },
        { account: 'treasury', holder: null, amount: -500 },
        { account: `user:${ada.id}:earned`, holder: 'Ada', amount: 1_000 },
      ],
      obstacle: null,
      reversalEventId: null,
    });
    expect(await novaBalance(ada)).toBe(2_000);

    const done = await reverse(eventId, { reason: 'stolen card' });
    expect(done.status).toBe(201);
    expect(done.body).toEqual({
      eventId: expect.any(String),
      returned: 1_000,
      message: 'The movement was reversed: 1,000 Nova came back.',
      projected: true,
    });
    expect([await novaBalance(ada), await novaBalance(bob)]).toEqual([3_000, 0]);

    const [original, reversal] = await Promise.all(
      [eventId, done.body.eventId].map(async (id) => (await admin.browser.get(`/api/admin/events/${id}`)).body),
    );
    expect(original.reversal).toEqual({ eventId: done.body.eventId, returned: 1_000, at: expect.any(String) });
    expect(original.related).toMatchObject([{ eventId: done.body.eventId, type: 'MovementReversed' }]);
    expect(reversal).toMatchObject({
      description: 'A gift of 1,000 Nova from Ada to Bob was reversed',
      reason: 'stolen card',
      cause: null,
      reversal: null,
      related: [{ eventId, type: 'GiftSent' }],
      data: { originalId: eventId, originalRevision: original.revision },
    });
    expect((await preview(eventId)).body).toMatchObject({ state: 'reversed', reversalEventId: done.body.eventId });
  });

  it('are in the statements of both sides, and in the lists and the file of admins', async () => {
    const eventId = await giftTo(bob, 1_000);
    const done = await reverse(eventId, { reason: 'a mistake' });
    expect((await rowsOf(ada)).slice(0, 2)).toMatchObject([
      { type: 'gift_send_reversed', amount: 1_000, description: 'Returned: gift to Bob', isReversed: false },
      { type: 'gift_send', amount: -1_000, isReversed: true },
    ]);
    expect(await rowsOf(bob)).toMatchObject([
      { type: 'gift_receive_reversed', amount: -500, description: 'Taken back: gift from Ada', isReversed: false },
      { type: 'gift_receive', amount: 500, isReversed: true },
    ]);
    const own = await bob.browser.get(`/api/nova/transactions/${eventId}`);
    expect(own.body.reversal).toMatchObject({ eventId: done.body.eventId, returned: 1_000 });
    const gifts = (await ada.browser.get('/api/gifts/history')).body.gifts;
    expect(gifts).toMatchObject([{ id: eventId, isReversed: true }]);
    const listed = await admin.browser.get(`/api/admin/transactions?userId=${bob.id}`);
    expect(listed.body.transactions).toMatchObject([{ isReversed: false }, { isReversed: true }]);
    const csv = await admin.browser.get(`/api/admin/transactions.csv?userId=${bob.id}&type=gift_receive_reversed`);
    expect(csv.body).toContain(`${done.body.eventId},${eventId}\r\n`);
  });

  it('take effect once, whoever asks and how often', async () => {
    const eventId = await giftTo(bob, 1_000);
    const body = { reason: 'a mistake' };
    const answers = await Promise.all([1, 2, 3].map(() => reverse(eventId, body)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.eventId)).size).toBe(1);
    for (const other of [{ reason: 'another reason' }, { reason: 'a mistake', partly: true }]) {
      expect((await reverse(eventId, other)).body).toMatchObject({ statusCode: 409, code: 'ALREADY_REVERSED' });
    }
    const again = await reverse(answers[0]?.body.eventId, body);
    expect(again.body).toMatchObject({ statusCode: 409, code: 'NOT_REVERSIBLE' });
    const { rows } = await api.database.pool.query('select reason from admin_reason where user_id = $1', [ada.id]);
    expect(rows).toEqual([{ reason: 'a mistake' }]);
    expect(await novaBalance(ada)).toBe(3_000);
  });

  it('return a part only if the admin says so', async () => {
    const eventId = await giftTo(bob, 2_000);
    await admin.browser.post(`/api/admin/users/${bob.id}/deduct-nova`, { amount: 700 });
    expect((await preview(eventId)).body).toMatchObject({ state: 'part', amount: 2_000, returned: 1_300 });
    const refused = await reverse(eventId, { reason: 'fraud' });
    expect(refused.body).toMatchObject({
      statusCode: 409,
      code: 'NOT_IN_FULL',
      message: 'Only 1,300.00 of 2,000.00 Nova can be returned.',
      available: 1_300,
    });
    expect(await novaBalance(bob)).toBe(300);
    const done = await reverse(eventId, { reason: 'fraud', partly: true });
    expect(done.body).toMatchObject({ returned: 1_300 });
    expect([await novaBalance(ada), await novaBalance(bob)]).toEqual([2_300, 0]);
  });

  it('take back grants, give back deductions, and refuse where nothing is left or somebody is gone', async () => {
    const path = `/api/admin/users/${bob.id}`;
    const granted = await admin.browser.post(`${path}/add-nova`, { amount: 50 });
    const deducted = await admin.browser.post(`${path}/deduct-nova`, { amount: 50 });
    const nothing = await reverse(granted.body.eventId, { reason: 'x', partly: true });
    expect(nothing.body).toMatchObject({ statusCode: 409, code: 'NOTHING_TO_RETURN' });
    expect((await reverse(deducted.body.eventId, { reason: 'x' })).body).toMatchObject({ returned: 50 });
    expect(await novaBalance(bob)).toBe(50);
    const gift = await giftTo(bob, 1_000);
    expect((await reverse(granted.body.eventId, { reason: 'x' })).body).toMatchObject({ returned: 50 });
    expect((await admin.browser.send('DELETE', path, { body: {} })).status).toBeLessThan(300);
    // While the account is closing it still has its Nova.
    const closed = await eventually(
      () => preview(gift),
      ({ body }) => body.state === 'impossible',
    );
    expect(closed.body).toMatchObject({
      returned: 0,
      parts: [],
      obstacle: 'The account that would return the Nova is closed.',
    });
    expect((await reverse(gift, { reason: 'x' })).body.code).toBe('ACCOUNT_CLOSED');
  });

  it('give back what was spent at an application, which sees it, and take back what it paid', async () => {
    const dev = await api.member({ displayName: 'Dev' });
    const chess = await registerApplication(dev, 'Chess');
    const token = await authorize(api, ada, chess);
    const spent = await token.post('/api/tokens/spend', { amount: 100 });
    const spending = spent.body.transactionId;
    expect((await preview(spending)).body.parts).toEqual([
      { account: `app:${chess.clientId}:earned`, holder: 'Chess', amount: -100 },
      { account: `user:${ada.id}:earned`, holder: 'Ada', amount: 100 },
    ]);
    await reverse(spending, { reason: 'child' });
    await settled(api);
    const wallet = `/api/oauth/application/${chess.clientId}/wallet`;
    expect((await dev.browser.get(wallet)).body).toMatchObject({ balance: 0, totals: { spent: 0 } });
    expect((await dev.browser.get(`${wallet}/statement`)).body.entries).toMatchObject([
      { type: 'spend_reversed', amount: 100 },
      { type: 'spend', amount: 100 },
    ]);
    expect(await novaBalance(ada)).toBe(3_000);
  });

  it('refuse what cannot be, changing nothing', async () => {
    const eventId = await giftTo(bob, 1_000);
    const bad: unknown[] = [{}, { reason: '' }, { reason: ' ' }, { reason: 'x'.repeat(501) }, { reason: 1 }];
    for (const body of [...bad, { reason: 'x', partly: 'yes' }, { reason: 'x', extra: 1 }]) {
      expect((await reverse(eventId, body)).status).toBe(400);
    }
    for (const id of [UNKNOWN, 'x', '0']) {
      expect((await reverse(id, { reason: 'x' })).status).toBe(404);
      expect((await preview(id)).status).toBe(404);
    }
    expect(await novaBalance(bob)).toBe(500);
  });
});
