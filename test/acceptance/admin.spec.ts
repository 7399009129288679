import { createHash } from 'node:crypto';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { awayFromMidnight } from '../support/midnight.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';

describe('the admin’s calls', () => {
  let api: TestApi;
  let admin: TestMember;
  let ada: TestMember;
  let bob: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    ada = await api.member({ displayName: 'Ada Lovelace' });
    bob = await api.member({ displayName: '=HYPERLINK("http://evil","x")' });
    await awayFromMidnight();
    await grantNova(admin, ada.id, 50_000);
    await ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount: 1_000 });
  });
  afterAll(() => api?.close());

  const adjust = (direction: 'add' | 'deduct', userId: string, body: unknown, key?: string) =>
    admin.browser.post(
      `/api/admin/users/${userId}/${direction}-nova`,
      body,
      key === undefined ? undefined : { 'idempotency-key': key },
    );
  const list = async (query: string) => (await admin.browser.get(`/api/admin/transactions?${query}`)).body;

  it('are for admins only', async () => {
    const calls: [string, string][] = [
      ['GET', '/api/admin/stats'],
      ['GET', '/api/admin/users'],
      ['GET', '/api/admin/transactions'],
      ['GET', '/api/admin/transactions.csv'],
      ['GET', '/api/admin/events/x'],
      ['POST', `/api/admin/users/${ada.id}/add-nova`],
      ['POST', `/api/admin/users/${ada.id}/deduct-nova`],
      ['POST', `/api/admin/users/${ada.id}/lift-freeze`],
    ];
    for (const [method, path] of calls) {
      expect((await ada.browser.send(method, path)).status).toBe(403);
      expect((await api.browser().send(method, path)).status).toBe(401);
    }
  });

  it('give the figures of the platform', async () => {
    const { body } = await admin.browser.get('/api/admin/stats');
    // Nobody holds Influence, so half goes to the treasury and is no longer in circulation.
    const { version } = (await admin.browser.get('/health/live')).body;
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(body).toEqual({ totalUsers: 3, totalChats: 0, novaInCirculation: 49_500, activeQuests: 0, version });
  });

  it('list and search members with their balances', async () => {
    const all = await admin.browser.get('/api/admin/users');
    expect(all.body.pagination).toEqual({ page: 1, limit: 10, total: 3, totalPages: 1 });
    const found = await admin.browser.get('/api/admin/users?search=LOVELACE&page=1&limit=1');
    expect(found.body.users).toEqual([
      {
        id: ada.id,
        displayName: 'Ada Lovelace',
        email: ada.email,
        profileImageUrl: null,
        isAdmin: false,
        novaBalance: 49_000,
        purchasedNova: 0,
        earnedNova: 49_000,
        owedNova: 0,
        rating: 5,
        ratingCount: 0,
        fileCount: 0,
        fileBytes: 0,
        createdAt: expect.any(String),
      },
    ]);
    expect((await admin.browser.get(`/api/admin/users?search=${ada.email}`)).body.pagination.total).toBe(1);
    for (const wild of ['%25', '_', '\\']) {
      expect((await admin.browser.get(`/api/admin/users?search=${wild}`)).body.pagination.total).toBe(0);
    }
    expect((await admin.browser.get('/api/admin/users?search=')).body.pagination.total).toBe(3);
    for (const query of ['page=0', 'page=x', 'limit=0', 'limit=101', 'page=100001', `search=${'x'.repeat(300)}`]) {
      expect((await admin.browser.get(`/api/admin/users?${query}`)).status).toBe(400);
    }
  });

  it('add and deduct Nova, and say why', async () => {
    const carl = await api.member({ displayName: 'Carl' });
    const added = await adjust('add', carl.id, { amount: 500.5, reason: '  for a bug report ' });
    expect(added.status).toBe(201);
    expect(added.body).toEqual({
      user: expect.objectContaining({ id: carl.id, novaBalance: 500.5, earnedNova: 500.5 }),
      eventId: expect.any(String),
      message: 'Added 500.50 Nova to Carl.',
      projected: true,
    });
    const deducted = await adjust('deduct', carl.id, { amount: 100 });
    expect(deducted.body).toMatchObject({ message: 'Deducted 100 Nova from Carl.', user: { novaBalance: 400.5 } });
    const event = await admin.browser.get(`/api/admin/events/${added.body.eventId}`);
    expect(event.body).toMatchObject({ type: 'NovaGranted', reason: 'for a bug report', cause: null });
    expect(JSON.stringify(event.body.data)).not.toContain('bug report');
    const without = await admin.browser.get(`/api/admin/events/${deducted.body.eventId}`);
    expect(without.body.reason).toBeNull();
  });

  it('refuse what cannot be, changing nothing', async () => {
    const before = await novaBalance(ada);
    const amounts = [0, -1, 0.001, '5', null, 1e12, undefined];
    for (const amount of amounts) {
      for (const direction of ['add', 'deduct'] as const) {
        expect((await adjust(direction, ada.id, { amount })).body.code).toBe('INVALID_AMOUNT');
      }
    }
    const beyond = await adjust('deduct', ada.id, { amount: 60_000, reason: 'too much' });
    expect(beyond.body).toMatchObject({
      statusCode: 400,
      code: 'INSUFFICIENT_NOVA',
      message: 'Amount exceeds current balance',
    });
    expect((await adjust('add', '018f0000-0000-7000-8000-000000000000', { amount: 1 })).status).toBe(404);
    expect((await adjust('add', 'nobody', { amount: 1 })).status).toBe(404);
    expect((await adjust('add', ada.id, { amount: 1, reason: 'x'.repeat(501) })).status).toBe(400);
    expect((await adjust('add', ada.id, { amount: 1, extra: true })).status).toBe(400);
    expect(await novaBalance(ada)).toBe(before);
    const { rows } = await api.database.pool.query(`select 1 from admin_reason where reason = 'too much'`);
    expect(rows).toHaveLength(0);
  });

  it('take effect once by their key, the reason included', async () => {
    const dora = await api.member();
    const body = { amount: 10, reason: 'once' };
    const answers = await Promise.all([1, 2, 3].map(() => adjust('add', dora.id, body, 'k')));
    expect(new Set(answers.map((answer) => answer.body.eventId)).size).toBe(1);
    for (const other of [{ amount: 11, reason: 'once' }, { amount: 10, reason: 'twice' }, { amount: 10 }]) {
      expect((await adjust('add', dora.id, other, 'k')).status).toBe(422);
    }
    expect((await adjust('deduct', dora.id, { amount: 10 }, 'k')).status).toBe(201);
    expect(await novaBalance(dora)).toBe(0);
    const { rows } = await api.database.pool.query('select reason from admin_reason where user_id = $1', [dora.id]);
    expect(rows).toEqual([{ reason: 'once' }]);
  });

  describe('list transactions', () => {
    it('of everybody, with whose they are', async () => {
      const { transactions } = await list(`userId=${bob.id}`);
      expect(transactions).toEqual([
        {
          id: expect.stringMatching(/^\d+-\d+$/),
          count: 1,
          type: 'gift_receive',
          amount: 500,
          balanceAfter: 500,
          shortfall: 0,
          description: 'Gift from Ada Lovelace',
          counterparty: { id: ada.id, displayName: 'Ada Lovelace', profileImageUrl: null },
          eventId: expect.any(String),
          isReversed: false,
          createdAt: expect.any(String),
          userId: bob.id,
          userName: bob.displayName,
          userEmail: bob.email,
        },
      ]);
    });

    it('by type, member, text and dates, together', async () => {
      const at = (await list(`type=gift_send&userId=${ada.id}`)).transactions[0].createdAt;
      const today = at.slice(0, 10);
      const tomorrow = new Date(Date.parse(at) + 86_400_000).toISOString().slice(0, 10);
      const total = async (query: string): Promise<number> => (await list(query)).pagination.total;
      expect(await total(`type=gift_send&userId=${ada.id}`)).toBe(1);
      expect(await total(`search=lovelace&startDate=${today}&endDate=${today}`)).toBe(2);
      expect(await total(`search=lovelace&type=admin_grant&startDate=${today}`)).toBe(1);
      expect(await total(`search=lovelace&startDate=${tomorrow}`)).toBe(0);
      expect(await total(`search=lovelace&endDate=2020-01-01`)).toBe(0);
      expect(await total(`userId=${ada.id.toUpperCase()}`)).toBe(2);
      expect(await total(`type=&search=&startDate=&endDate=&userId=${ada.id}`)).toBe(2);
      const [first, second] = [await list(`userId=${ada.id}&limit=1`), await list(`userId=${ada.id}&limit=1&page=2`)];
      expect([first.transactions[0].type, second.transactions[0].type]).toEqual(['gift_send', 'admin_grant']);
      expect(first.pagination).toEqual({ page: 1, limit: 1, total: 2, totalPages: 2 });
    });

    it('from either end', async () => {
      const types = async (query: string): Promise<string[]> =>
        (await list(`userId=${ada.id}${query}`)).transactions.map(({ type }: { type: string }) => type);
      expect(await types('')).toEqual(['gift_send', 'admin_grant']);
      expect(await types('&order=desc')).toEqual(['gift_send', 'admin_grant']);
      expect(await types('&order=asc')).toEqual(['admin_grant', 'gift_send']);
      expect(await types('&order=asc&limit=1&page=2')).toEqual(['gift_send']);
    });

    it.each([
      'order=sideways',
      'type=nonsense',
      'startDate=yesterday',
      'startDate=2026-02-30',
      'endDate=2026-13-01',
      'endDate=99999-01-01',
      'startDate=2026-02-02&endDate=2026-02-01',
      'userId=x',
      'limit=0',
      'page=-1',
      'unknown=1',
    ])('and refuse %s', async (query) => {
      const answer = await admin.browser.get(`/api/admin/transactions?${query}`);
      expect(answer.body).toMatchObject({ statusCode: 400, code: expect.any(String), message: expect.any(String) });
      expect((await admin.browser.get(`/api/admin/transactions.csv?${query}`)).status).toBe(400);
    });
  });

  const fetchCsv = (query: string) => admin.browser.get(`/api/admin/transactions.csv?${query}`);

  describe('export CSV', () => {
    it('of the same rows, safe against formulas, with amounts as numbers', async () => {
      const answer = await fetchCsv(`userId=${ada.id}`);
      expect(answer.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename="nova-transactions-[\d-]+\.csv"$/,
      );
      const lines = (answer.body as string).split('\r\n');
      expect(lines[0]).toBe(
        'Date,Type,Amount,Balance After,Shortfall,User,Email,Description,Counterparty,User ID,Transaction ID,Event ID,Reverses',
      );
      expect(lines).toHaveLength(4);
      expect(lines[1]).toContain(',gift_send,-1000.00,49000.00,0.00,"Ada Lovelace",');
      expect(lines[1]).toContain('"\'=HYPERLINK(""http://evil"",""x"")"');
      expect(lines[3]).toBe('');
    });

    it('has its header when nothing matches', async () => {
      const answer = await fetchCsv('endDate=2020-01-01');
      expect(answer.status).toBe(200);
      expect((answer.body as string).split('\r\n')).toHaveLength(2);
    });
  });

  describe('show an event', () => {
    it('whole, its hash a link of the chain', async () => {
      const { transactions } = await list(`type=gift_send&userId=${ada.id}`);
      const { body } = await admin.browser.get(`/api/admin/events/${transactions[0].eventId}`);
      expect(body).toMatchObject({
        eventId: transactions[0].eventId,
        type: 'GiftSent',
        description: `Ada Lovelace sent a gift of 1,000 Nova to ${bob.displayName}`,
        entries: [
          { account: `user:${ada.id}:earned`, currency: 'NOVA', amount: -1_000 },
          { account: `user:${bob.id}:earned`, currency: 'NOVA', amount: 500 },
          { account: 'treasury', currency: 'NOVA', amount: 500 },
        ],
        actor: { kind: 'member', id: ada.id, displayName: 'Ada Lovelace' },
        related: [],
      });
      const { rows } = await api.database.pool.query('select data from journal.events where id = $1', [body.eventId]);
      const chained = `${body.previousHash}\n${body.revision}\n${body.type}\n${rows[0].data}`;
      expect(body.hash).toBe(createHash('sha256').update(chained).digest('hex'));
      const byRow = await admin.browser.get(`/api/admin/events/${transactions[0].id}`);
      expect(byRow.body).toEqual(body);
    });

    it.each(['x', '9999999-0', '018f0000-0000-7000-8000-000000000000', '000000000000-8000', '0'.repeat(200)])(
      'or 404: %s',
      async (id) => expect((await admin.browser.get(`/api/admin/events/${id}`)).status).toBe(404),
    );

    it('not by an id that only has the right place', async () => {
      const { transactions } = await list(`userId=${ada.id}`);
      const forged = (transactions[0].eventId as string).slice(0, -4) + '0000';
      expect((await admin.browser.get(`/api/admin/events/${forged}`)).status).toBe(404);
    });
  });
});
