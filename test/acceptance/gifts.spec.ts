import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, signInAdmin } from '../support/money.js';

const OUT_OF_RANGE = 'Gift amount must be between 1,000 and 1,000,000 Nova.';
const NOT_ENOUGH = "You don't have enough Nova to send this gift.";

const balanceOf = async (member: TestMember): Promise<number> =>
  (await member.browser.get('/api/nova/balance')).body.novaBalance;
const send = (member: TestMember, body: unknown, key?: string) =>
  member.browser.post('/api/gifts/send', body, key === undefined ? undefined : { 'idempotency-key': key });

describe('gifts', () => {
  let api: TestApi;
  let admin: TestMember;
  let ada: TestMember;
  let bob: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    ada = await api.member({ displayName: 'Ada' });
    bob = await api.member({ displayName: 'Bob' });
    await grantNova(admin, ada.id, 20_000);
  });
  afterAll(() => api?.close());

  it('gives half to the recipient, and half to the treasury while nobody holds Influence', async () => {
    const answer = await send(ada, { recipientId: bob.id, amount: 1_000.01 });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      gift: {
        id: answer.body.eventId,
        senderId: ada.id,
        recipientId: bob.id,
        amount: 1_000.01,
        recipientShare: 500.01,
        influenceShare: 500,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        sender: { displayName: 'Ada', profileImageUrl: null, averageRating: 5 },
        recipient: { displayName: 'Bob', profileImageUrl: null, averageRating: 5 },
        isReversed: false,
      },
      novaBalance: 18_999.99,
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      projected: true,
    });
    expect(await balanceOf(ada)).toBe(18_999.99);
    expect(await balanceOf(bob)).toBe(500.01);
  });

  it('shows what a gift would do, and moves nothing', async () => {
    const before = await balanceOf(ada);
    const answer = await ada.browser.post('/api/gifts/preview', { recipientId: bob.id, amount: 2_000 });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      amount: 2_000,
      recipientShare: 1_000,
      influenceShare: 1_000,
      influenceGoesTo: 'treasury',
      comesBack: 0,
      balanceBefore: before,
      balanceAfter: before - 2_000,
      recipient: { displayName: 'Bob', profileImageUrl: null, averageRating: 5 },
    });
    expect(await balanceOf(ada)).toBe(before);
  });

  describe('are refused, changing nothing', () => {
    const cases: [string, unknown, number, string, string][] = [
      ['below the least', 999.99, 400, 'INVALID_AMOUNT', OUT_OF_RANGE],
      ['above the most', 1_000_000.01, 400, 'INVALID_AMOUNT', OUT_OF_RANGE],
      ['zero', 0, 400, 'INVALID_AMOUNT', OUT_OF_RANGE],
      ['negative', -1_000, 400, 'INVALID_AMOUNT', OUT_OF_RANGE],
      ['three decimals', 1_000.001, 400, 'INVALID_AMOUNT', 'The amount must be a number with at most 2 decimals.'],
      ['text', '1000', 400, 'INVALID_AMOUNT', 'The amount must be a number with at most 2 decimals.'],
      ['null', null, 400, 'INVALID_AMOUNT', 'The amount must be a number with at most 2 decimals.'],
      ['a list', [1_000], 400, 'INVALID_AMOUNT', 'The amount must be a number with at most 2 decimals.'],
      ['beyond doubles', 1e300, 400, 'INVALID_AMOUNT', 'The amount must be a number with at most 2 decimals.'],
      ['beyond the balance', 500_000, 400, 'INSUFFICIENT_NOVA', NOT_ENOUGH],
    ];
    it.each(cases)('%s', async (_, amount, status, code, message) => {
      const before = [await balanceOf(ada), await balanceOf(bob)];
      for (const path of ['/api/gifts/send', '/api/gifts/preview']) {
        const answer = await ada.browser.post(path, { recipientId: bob.id, amount });
        expect(answer.body).toMatchObject({ statusCode: status, code, message, requestId: expect.any(String) });
        expect(answer.status).toBe(status);
      }
      expect([await balanceOf(ada), await balanceOf(bob)]).toEqual(before);
    });

    it.each([
      ['an unknown recipient', '018f0000-0000-7000-8000-000000000000'],
      ['what is no id', 'nobody'],
      ['what could break an account name', 'a:b:earned'],
    ])('to %s', async (_, recipientId) => {
      const answer = await send(ada, { recipientId, amount: 1_000 });
      expect([answer.status, answer.body.code]).toEqual([404, 'RECIPIENT_NOT_FOUND']);
    });

    it('to oneself, however the id is written', async () => {
      for (const recipientId of [ada.id, ada.id.toUpperCase()]) {
        const answer = await send(ada, { recipientId, amount: 1_000 });
        expect([answer.status, answer.body.code]).toEqual([400, 'SELF_PAYMENT']);
      }
    });

    it('without a recipient', async () => {
      for (const recipientId of [undefined, null, '', 7, {}]) {
        const answer = await send(ada, { recipientId, amount: 1_000 });
        expect(answer.status).toBe(400);
        expect(answer.body.message).toBe('Please select someone to send a gift to.');
      }
    });

    it('with fields that are not known, broken JSON, from another site, or signed out', async () => {
      const draft = { recipientId: bob.id, amount: 1_000 };
      expect((await send(ada, { ...draft, senderId: bob.id })).status).toBe(400);
      expect((await ada.browser.post('/api/gifts/send', '{"amount": 1000,')).status).toBe(400);
      expect((await ada.browser.post('/api/gifts/send', '{"recipientId":"x","amount":NaN}')).status).toBe(400);
      const foreign = await ada.browser.post('/api/gifts/send', draft, { origin: 'https://elsewhere.example' });
      expect([foreign.status, foreign.body.code]).toEqual([403, 'FOREIGN_ORIGIN']);
      expect((await api.browser().post('/api/gifts/send', draft)).status).toBe(401);
    });
  });

  describe('with an idempotency key', () => {
    it('take effect once, also when the repeats come at once', async () => {
      const before = await balanceOf(ada);
      const key = '018f0000-0000-7000-8000-0000000000aa';
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => send(ada, { recipientId: bob.id, amount: 1_000 }, key)),
      );
      for (const answer of answers) {
        expect(answer.status).toBe(201);
        expect(answer.body).toEqual(answers[0]!.body);
      }
      expect(await balanceOf(ada)).toBe(before - 1_000);
    });

    it('refuse another body, and are one member’s own', async () => {
      const key = 'a key of any form';
      const first = await send(ada, { recipientId: bob.id, amount: 1_000 }, key);
      const other = await send(ada, { recipientId: bob.id, amount: 1_001 }, key);
      expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      await grantNova(admin, bob.id, 2_000);
      const bobs = await send(bob, { recipientId: ada.id, amount: 1_000 }, key);
      expect(bobs.status).toBe(201);
      expect(bobs.body.eventId).not.toBe(first.body.eventId);
    });

    it('do not remember refusals', async () => {
      const carl = await api.member();
      const key = '018f0000-0000-7000-8000-0000000000bb';
      expect((await send(carl, { recipientId: bob.id, amount: 1_000 }, key)).body.code).toBe('INSUFFICIENT_NOVA');
      await grantNova(admin, carl.id, 1_000);
      expect((await send(carl, { recipientId: bob.id, amount: 1_000 }, key)).status).toBe(201);
    });

    it('must be printable and short', async () => {
      expect((await send(ada, { recipientId: bob.id, amount: 1_000 }, 'x'.repeat(256))).status).toBe(400);
    });
  });

  it('never spend the same Nova twice', async () => {
    const dora = await api.member();
    await grantNova(admin, dora.id, 3_500);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(dora, { recipientId: bob.id, amount: 1_000 })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      201,
      201,
      ...Array<number>(7).fill(400),
    ]);
    expect(await balanceOf(dora)).toBe(500);
  });

  it('are listed for both sides, newest first, with totals', async () => {
    const eve = await api.member({ displayName: 'Eve' });
    const fay = await api.member({ displayName: 'Fay' });
    await grantNova(admin, eve.id, 10_000);
    for (const amount of [1_000, 2_000, 3_000]) await send(eve, { recipientId: fay.id, amount });
    const first = await eve.browser.get('/api/gifts/history?limit=2');
    expect(first.body.gifts.map(({ amount }: { amount: number }) => amount)).toEqual([3_000, 2_000]);
    const second = await eve.browser.get(`/api/gifts/history?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body.gifts.map(({ amount }: { amount: number }) => amount)).toEqual([1_000]);
    expect(second.body.nextCursor).toBeNull();
    expect(second.body.summary).toEqual({ sentCount: 3, receivedCount: 0, totalSent: 6_000, totalReceived: 0 });
    const fays = await fay.browser.get('/api/gifts/history');
    expect(fays.body.summary).toEqual({ sentCount: 0, receivedCount: 3, totalSent: 0, totalReceived: 3_000 });
    expect(fays.body.gifts[0]).toMatchObject({ sender: { displayName: 'Eve' }, recipient: { displayName: 'Fay' } });
    for (const query of ['cursor=x', 'limit=0', 'limit=101', 'limit=1.5', 'limit=x']) {
      expect((await eve.browser.get(`/api/gifts/history?${query}`)).status).toBe(400);
    }
  });
});
