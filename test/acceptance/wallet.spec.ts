import { LEDGER } from '../../apps/api/src/platform/ledger/injected-ledger.js';
import type { Ledger } from '../../libs/ledger/src/index.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, signInAdmin } from '../support/money.js';

const give = (from: TestMember, to: TestMember, amount: number) =>
  from.browser.post('/api/gifts/send', { recipientId: to.id, amount });

describe('the wallet', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  it('is empty for a new member, and closed to whoever is not signed in', async () => {
    const ada = await api.member();
    expect((await ada.browser.get('/api/nova/balance')).body).toEqual({
      novaBalance: 0,
      purchasedNova: 0,
      earnedNova: 0,
      owedNova: 0,
      pendingNova: 0,
      heldNova: 0,
    });
    expect((await ada.browser.get('/api/nova/transactions')).body).toEqual({ transactions: [], nextCursor: null });
    for (const path of ['balance', 'transactions', 'transactions/1-0']) {
      expect((await api.browser().get(`/api/nova/${path}`)).status).toBe(401);
    }
  });

  it('has a statement whose rows add up to the balance, page by page', async () => {
    const ada = await api.member();
    const bob = await api.member({ displayName: 'Bob' });
    await grantNova(admin, ada.id, 10_000);
    for (const amount of [1_000, 1_500.5, 2_000]) await give(ada, bob, amount);
    const seen: { id: string; amount: number; balanceAfter: number; type: string; description: string }[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? 'limit=2' : `limit=2&cursor=${cursor}`;
      const { body } = await ada.browser.get(`/api/nova/transactions?${query}`);
      seen.push(...body.transactions);
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(seen.map(({ amount }) => amount)).toEqual([-2_000, -1_500.5, -1_000, 10_000]);
    expect(seen[0]).toMatchObject({ type: 'gift_send', description: 'Gift to Bob', balanceAfter: 5_499.5 });
    expect(new Set(seen.map(({ id }) => id)).size).toBe(4);
    const only = await ada.browser.get('/api/nova/transactions?type=admin_grant');
    expect(only.body.transactions).toHaveLength(1);
    for (const query of [
      'limit=0',
      'limit=1000',
      'cursor=x',
      'cursor=1',
      'type=x',
      'page=1',
      'direction=up',
      'groupBy=week',
      'startDate=2026-13-01',
      'startDate=2026-02-02&endDate=2026-02-01',
      `search=${'a'.repeat(101)}`,
    ]) {
      const answer = await ada.browser.get(`/api/nova/transactions?${query}`);
      expect(answer.body).toMatchObject({ statusCode: 400, message: expect.any(String) });
    }
  });

  it('shows what stands behind a row: one’s own entries, pools and treasury, no other’s accounts', async () => {
    const ada = await api.member({ displayName: 'Ada' });
    const bob = await api.member({ displayName: 'Bob' });
    await grantNova(admin, ada.id, 10_000);
    const { body: sent } = await give(ada, bob, 1_000);
    const [row] = (await ada.browser.get('/api/nova/transactions')).body.transactions;
    const mine = await ada.browser.get(`/api/nova/transactions/${row.id}`);
    expect(mine.status).toBe(200);
    expect(mine.body).toEqual({
      eventId: sent.eventId,
      revision: expect.any(Number),
      type: 'GiftSent',
      createdAt: row.createdAt,
      description: 'Ada sent a gift of 1,000 Nova to Bob',
      entries: [
        { account: `user:${ada.id}:earned`, currency: 'NOVA', amount: -1_000 },
        { account: 'treasury', currency: 'NOVA', amount: 500 },
      ],
      actor: { kind: 'member', id: ada.id, displayName: 'Ada' },
      cause: null,
      reason: null,
      note: null,
      reversal: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      previousHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      related: [],
    });
    expect((await ada.browser.get(`/api/nova/transactions/${sent.eventId}`)).body).toEqual(mine.body);
    const bobs = await bob.browser.get(`/api/nova/transactions/${sent.eventId}`);
    expect(bobs.body.entries.map(({ account }: { account: string }) => account)).toEqual([
      `user:${bob.id}:earned`,
      'treasury',
    ]);
    const eve = await api.member();
    const farAway = 'e8c65f9b-b653-8443-b3a4-9da300000008';
    for (const id of [row.id, sent.eventId, farAway, 'x', 'accrued', '%00']) {
      expect((await eve.browser.get(`/api/nova/transactions/${id}`)).status).toBe(404);
    }
  });

  it('shows what pools owe as a first line, so that all adds up', async () => {
    const ada = await api.member();
    const bob = await api.member({ displayName: 'Bob' });
    const holder = await api.member();
    await grantNova(admin, ada.id, 10_000);
    const ledger = api.nova.app.get<Pick<Ledger, 'execute'>>(LEDGER);
    const chat = { chatId: 'chat-of-this-spec', initiatorId: holder.id, hostId: bob.id };
    await grantNova(admin, holder.id, 1_250);
    for (const command of [
      { type: 'HoldChatPayment', ...chat, amount: 125_000n },
      { type: 'SettleChatPayment', chatId: chat.chatId, outcome: 'success' },
      { type: 'ReleaseChatReward', chatId: chat.chatId, side: 'initiator' },
    ] as const) {
      expect((await ledger.execute({ command, actor: 'process' })).status).toBe('accepted');
    }
    const preview = await ada.browser.post('/api/gifts/preview', { recipientId: bob.id, amount: 1_000 });
    expect(preview.body.influenceGoesTo).toBe('holders');
    await give(ada, bob, 1_000);
    expect((await holder.browser.get('/api/nova/balance')).body).toMatchObject({
      novaBalance: 500,
      earnedNova: 0,
      owedNova: 500,
    });
    const page = await holder.browser.get('/api/nova/transactions?limit=1');
    expect(page.body.transactions[0]).toEqual({
      id: 'accrued',
      type: 'accrued',
      amount: 500,
      balanceAfter: 500,
      shortfall: 0,
      count: 1,
      description: 'Rewards not yet credited',
      counterparty: null,
      eventId: null,
      isReversed: false,
      createdAt: expect.any(String),
    });
    const next = await holder.browser.get(`/api/nova/transactions?cursor=${page.body.nextCursor}`);
    const rows = [...page.body.transactions, ...next.body.transactions] as { amount: number; type: string }[];
    expect(rows.filter(({ type }) => type === 'accrued')).toHaveLength(1);
    expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(500);
    // Spending Nova that is owed credits it first, by an event of the same command.
    await grantNova(admin, holder.id, 500);
    const { body: sent } = await give(holder, bob, 1_000);
    const details = await holder.browser.get(`/api/nova/transactions/${sent.eventId}`);
    expect(details.body.related).toEqual([
      {
        eventId: expect.any(String),
        type: 'PoolRewardsPaid',
        description: expect.stringContaining('Rewards were credited'),
      },
    ]);
    // The holder's own gift pays its second half to the only holder: themselves.
    expect(sent.novaBalance).toBe(500);
    // A holder of Influence gets a part of their own gift back, which was not in their balance before.
    await grantNova(admin, holder.id, 1_000);
    const own = await holder.browser.post('/api/gifts/preview', { recipientId: bob.id, amount: 1_000 });
    expect(own.body).toMatchObject({ balanceBefore: 1_500, comesBack: 500, balanceAfter: 1_000 });
  });

  it('adds up small movements of a day, and finds, filters and totals them exactly', async () => {
    const ada = await api.member({ displayName: 'Ada Adams' });
    const bob = await api.member({ displayName: 'Zoë O’Brien' });
    const eve = await api.member({ displayName: 'Eve' });
    await grantNova(admin, ada.id, 5_000);
    await give(ada, bob, 1_000.5);
    for (const profileId of [bob.id, eve.id, bob.id]) {
      expect((await ada.browser.post('/api/discovery/upvote', { profileId })).status).toBe(200);
    }
    await give(ada, eve, 1_000);
    const read = async (query: string) => {
      const [list, totals] = await Promise.all([
        ada.browser.get(`/api/nova/transactions?${query}`),
        ada.browser.get(`/api/nova/transactions/totals?${query.replace('&groupBy=day', '')}`),
      ]);
      const rows: { description: string; amount: number; count: number; type: string; createdAt: string }[] =
        list.body.transactions;
      return { rows, totals: totals.body, lines: rows.map((row) => `${row.description} ${row.amount} × ${row.count}`) };
    };
    const whole = await read('limit=100&groupBy=day');
    expect(whole.lines).toEqual([
      'Gift to Eve -1000 × 1',
      'Upvoted the card of Zoë O’Brien -50 × 1',
      'Card unlocked -100 × 2',
      'Gift to Zoë O’Brien -1000.5 × 1',
      'Nova added by an admin 5000 × 1',
    ]);
    expect(whole.totals).toEqual({ count: 6, in: 5_000, out: 2_150.5 });
    const day = whole.rows[2]!.createdAt.slice(0, 10);
    const unlocked = await read(`type=card_unlock_send&startDate=${day}&endDate=${day}`);
    expect(unlocked.lines).toEqual(['Unlocked the card of Eve -50 × 1', 'Unlocked the card of Zoë O’Brien -50 × 1']);
    expect((await read('direction=in')).totals).toEqual({ count: 1, in: 5_000, out: 0 });
    expect((await read('direction=out')).lines).toHaveLength(5);
    expect((await read(`startDate=2020-01-01&endDate=2020-01-31`)).totals).toEqual({ count: 0, in: 0, out: 0 });
    expect((await read('search=zoe%20o’br')).totals).toEqual({ count: 3, in: 0, out: 1_100.5 });
    expect((await read('search=unlock&groupBy=day')).lines).toEqual(['Card unlocked -100 × 2']);
    expect((await read(`search=${encodeURIComponent(bob.email)}`)).lines).toEqual([]);
    const { lines: found } = await read('search=%25');
    expect(found).toEqual([]);
    expect((await api.browser().get('/api/nova/transactions/totals')).status).toBe(401);
  });

  it('names no admin to members', async () => {
    const ada = await api.member();
    await grantNova(admin, ada.id, 10);
    const [row] = (await ada.browser.get('/api/nova/transactions')).body.transactions;
    const { body } = await ada.browser.get(`/api/nova/transactions/${row.id}`);
    expect(body.actor).toEqual({ kind: 'admin', id: null, displayName: null });
    expect(JSON.stringify(body)).not.toContain(admin.id);
  });
});
